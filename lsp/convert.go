package lsp

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// filePath returns the absolute path a file: URI names. Other schemes and other
// machines are an error: their documents are not on this machine's disk. The
// library takes much for a file: URI that is none, so the form is checked first.
func filePath(u uri.URI) (string, error) {
	const prefix = "file:/"
	raw := string(u)
	if len(raw) < len(prefix) || !strings.EqualFold(raw[:len(prefix)], prefix) {
		return "", fmt.Errorf("%q is not a file: URI", raw)
	}
	parsed, err := uri.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("%q is not a URI: %w", raw, err)
	}
	path := parsed.FsPath()
	if host := parsed.Authority(); strings.EqualFold(host, "localhost") {
		path = parsed.Path()
	} else if host != "" {
		return "", fmt.Errorf("%q names a file of another machine", raw)
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%q does not name an absolute path", raw)
	}
	return filepath.Clean(path), nil
}

// realPath resolves symlinks in path. Of a file that does not exist the nearest
// existing folder is resolved.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir, base := filepath.Split(path)
	dir = filepath.Clean(dir)
	if dir == path {
		return path
	}
	return filepath.Join(realPath(dir), base)
}

func toPosition(p textedit.Position) protocol.Position {
	return protocol.Position{Line: p.Line, Character: p.Character}
}

func fromPosition(p protocol.Position) textedit.Position {
	return textedit.Position{Line: p.Line, Character: p.Character}
}

// toRange converts a span of bytes.
func toRange(m *textedit.Mapper, start, end int, enc textedit.Encoding) protocol.Range {
	return protocol.Range{Start: toPosition(m.Position(start, enc)), End: toPosition(m.Position(end, enc))}
}

// fromRange converts a range to a span of bytes; a range that ends before it
// starts is turned round.
func fromRange(m *textedit.Mapper, r protocol.Range, enc textedit.Encoding) (start, end int) {
	start, end = m.Offset(fromPosition(r.Start), enc), m.Offset(fromPosition(r.End), enc)
	return min(start, end), max(start, end)
}

func toWireRange(m *textedit.Mapper, start, end int, enc textedit.Encoding) wire.Range {
	s, e := m.Position(start, enc), m.Position(end, enc)
	return wire.Range{Start: wire.Position(s), End: wire.Position(e)}
}

func ptr[T any](v T) *T { return &v }
