package textedit_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// drawEdits draws sorted edits that fit a text of size bytes.
func drawEdits(t *rapid.T, size int) []textedit.Edit {
	var edits []textedit.Edit
	at := 0
	for range rapid.IntRange(0, 6).Draw(t, "count") {
		if at > size {
			break
		}
		start := rapid.IntRange(at, size).Draw(t, "start")
		end := rapid.IntRange(start, size).Draw(t, "end")
		edits = append(edits, textedit.Edit{Start: start, End: end, New: rapid.StringOfN(rapid.RuneFrom([]rune("xy\n")), 0, 4, -1).Draw(t, "new")})
		at = end
	}
	return edits
}

// Applying all at once is the same as one by one from the back.
func TestApplyAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.StringOfN(rapid.RuneFrom([]rune("abc\n")), 0, 20, -1).Draw(t, "src")
		edits := drawEdits(t, len(src))
		want := src
		for i := len(edits) - 1; i >= 0; i-- {
			want = want[:edits[i].Start] + edits[i].New + want[edits[i].End:]
		}
		got, err := textedit.Apply([]byte(src), edits)
		if err != nil || string(got) != want {
			t.Fatalf("Apply(%q, %v) = %q, %v, want %q", src, edits, got, err, want)
		}
	})
}

// The unified diff of edits has every line it says it takes away and adds.
func TestUnifiedEditsAgainstApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.StringOfN(rapid.RuneFrom([]rune("ab\n")), 0, 30, -1).Draw(t, "src")
		edits := drawEdits(t, len(src))
		after, err := textedit.Apply([]byte(src), edits)
		if err != nil {
			t.Fatal(err)
		}
		diff, err := textedit.UnifiedEdits("f", src, edits)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := patch(src, diff); !ok || got != string(after) {
			t.Fatalf("patching %q with\n%s gives %q, want %q", src, diff, got, after)
		}
	})
}

// patch applies a unified diff, the slow and obvious way.
func patch(src, diff string) (string, bool) {
	if diff == "" {
		return src, true
	}
	lines := strings.SplitAfter(src, "\n")
	var out strings.Builder
	at := 0
	var last byte
	for i, line := range strings.SplitAfter(diff, "\n") {
		switch {
		case i < 2 || line == "":
		case strings.HasPrefix(line, "@@"):
			var start int
			for _, c := range strings.TrimPrefix(strings.Fields(line)[1], "-") {
				if c < '0' || c > '9' {
					break
				}
				start = start*10 + int(c-'0')
			}
			// An empty range is named by the line before it.
			if strings.HasSuffix(strings.Fields(line)[1], ",0") {
				start++
			}
			for ; at < start-1; at++ {
				out.WriteString(lines[at])
			}
		case strings.HasPrefix(line, `\`):
			if last != '-' {
				text := strings.TrimSuffix(out.String(), "\n")
				out.Reset()
				out.WriteString(text)
			}
		default:
			last = line[0]
			if last != '+' {
				if at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != strings.TrimSuffix(line[1:], "\n") {
					return "", false
				}
				at++
			}
			if last != '-' {
				out.WriteString(line[1:])
			}
		}
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return out.String(), true
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		edits []textedit.Edit
		want  error
	}{
		"none":                   {nil, nil},
		"adjacent":               {[]textedit.Edit{{Start: 0, End: 2}, {Start: 2, End: 3}}, nil},
		"two insertions":         {[]textedit.Edit{{Start: 1, End: 1}, {Start: 1, End: 1}}, nil},
		"overlap":                {[]textedit.Edit{{Start: 0, End: 2}, {Start: 1, End: 3}}, textedit.ErrOverlap},
		"insertion inside":       {[]textedit.Edit{{Start: 0, End: 2}, {Start: 1, End: 1}}, textedit.ErrOverlap},
		"past the end":           {[]textedit.Edit{{Start: 0, End: 9}}, textedit.ErrRange},
		"before the start":       {[]textedit.Edit{{Start: -1, End: 0}}, textedit.ErrRange},
		"ends before its start":  {[]textedit.Edit{{Start: 2, End: 1}}, textedit.ErrRange},
		"insertion at the end":   {[]textedit.Edit{{Start: 3, End: 3}}, nil},
		"deletes all, then adds": {[]textedit.Edit{{Start: 0, End: 3}, {Start: 3, End: 3}}, nil},
	} {
		if err := textedit.Check(c.edits, 3); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A span is moved so that it covers the text it covered, or is lost.
func TestRebaseAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.StringOfN(rapid.RuneFrom([]rune("abcdefghij")), 0, 20, -1).Draw(t, "src")
		start := rapid.IntRange(0, len(src)).Draw(t, "start")
		end := rapid.IntRange(start, len(src)).Draw(t, "end")
		from := rapid.IntRange(0, len(src)).Draw(t, "from")
		change := textedit.Edit{Start: from, End: rapid.IntRange(from, len(src)).Draw(t, "to"), New: rapid.StringOfN(rapid.RuneFrom([]rune("XYZ")), 0, 3, -1).Draw(t, "new")}
		after, err := textedit.Apply([]byte(src), []textedit.Edit{change})
		if err != nil {
			t.Fatal(err)
		}
		s, e, ok := textedit.Rebase(start, end, change)
		touched := change.Start < end && change.End > start // shares a byte, or is inside
		if ok == touched {
			t.Fatalf("Rebase(%d, %d, %+v): ok %v, touched %v", start, end, change, ok, touched)
		}
		if ok && string(after[s:e]) != src[start:end] {
			t.Fatalf("[%d,%d) of %q became [%d,%d) of %q", start, end, src, s, e, after)
		}
	})
}
