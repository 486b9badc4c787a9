package astedit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// astGrep returns the path of the real ast-grep, which the tests here compare
// with. Without it they are skipped, unless the environment says that it must be
// there, as in CI.
func astGrep(t *testing.T) string {
	t.Helper()
	path := os.Getenv("PENDING_LSP_ASTGREP")
	if path == "" {
		path, _ = exec.LookPath("ast-grep")
	}
	out, err := exec.CommandContext(t.Context(), path, "--version").Output()
	if err == nil && strings.TrimSpace(string(out)) == "ast-grep 0.51.1" {
		return path
	}
	const message = "ast-grep 0.51.1 is not here (npm i @ast-grep/cli@0.51.1, PENDING_LSP_ASTGREP): THE ENGINE IS NOT COMPARED WITH IT"
	if os.Getenv("PENDING_LSP_REQUIRE_ASTGREP") == "1" {
		t.Fatal(message)
	}
	t.Skip(message)
	return ""
}

// corpus is real code of one language that a machine may have.
type corpus struct {
	lang, ext string
	// least is the share of matches that must agree. The grammars of some
	// languages have changed much since smacker's copies.
	least float64
	globs []string
}

func corpora(t *testing.T) []corpus {
	t.Helper()
	root := said(t, "go", "env", "GOROOT") + "/src"
	modules := said(t, "go", "env", "GOMODCACHE")
	// Where they are not installed the globs match nothing, and that is skipped.
	python := said(t, "python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))")
	npm := said(t, "npm", "root", "-g") + "/npm"
	return []corpus{
		{"go", "go", 0.995, []string{root + "/net/http/*.go", root + "/go/*/*.go", root + "/encoding/*/*.go", root + "/cmd/compile/internal/types2/*.go"}},
		{"python", "py", 0.995, []string{python + "/*.py", python + "/asyncio/*.py", python + "/email/*.py"}},
		{"javascript", "js", 0.995, []string{npm + "/lib/*/*.js", npm + "/node_modules/*/lib/*.js"}},
		{"c", "c", 0.7, []string{root + "/runtime/cgo/*.c", "/usr/include/*.h", "/usr/include/linux/*.h"}},
		{"cpp", "cpp", 0.7, []string{"/usr/include/c++/*/*", "/usr/include/c++/*/bits/*.h"}},
		{"bash", "sh", 0.9, []string{"/usr/share/bash-completion/completions/*", root + "/*.bash"}},
		{"yaml", "yml", 0.9, []string{modules + "/*/*/*/.github/workflows/*.yml"}},
		{"css", "css", 0.7, []string{modules + "/*/*/*/*/*.css", modules + "/*/*/*/*/*/*.css", root + "/*/*/*/*/*.css"}},
		{"php", "php", 0.8, []string{"/usr/share/php/*.php", "/usr/share/php/*/*.php"}},
	}
}

// said is what a program says, or "" where it is missing.
func said(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, args...).Output()
	if err != nil {
		t.Logf("%s: %v", program, err)
	}
	return strings.TrimSpace(string(out))
}

const maxCorpus = 3 << 20 // bytes of each language

// copyCorpus puts a corpus's files into a directory, for ast-grep to search.
func copyCorpus(t *testing.T, c corpus) (dir string, files []string) {
	t.Helper()
	var paths []string
	for _, g := range c.globs {
		found, err := filepath.Glob(g)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	dir = t.TempDir()
	total := 0
	for i, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil || bytes.IndexByte(text, 0) >= 0 || total > maxCorpus {
			continue
		}
		total += len(text)
		name := fmt.Sprintf("%04d.%s", i, c.ext)
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	if len(files) == 0 {
		t.Skipf("no %s code on this machine", c.lang)
	}
	return dir, files
}

// outermost is the set of a pattern's outermost matches, as "file:start-end".
type outermost map[string]bool

// add takes the outermost of the spans in a file. White space at their ends does
// not count: a match here ends before the line break in its last token.
func (o outermost) add(file string, text []byte, spans [][2]int) {
	for i, s := range spans {
		spans[i][1] = s[0] + len(bytes.TrimRight(text[s[0]:s[1]], " \t\r\n"))
	}
	slices.SortFunc(spans, func(a, b [2]int) int {
		if a[0] != b[0] {
			return a[0] - b[0]
		}
		return b[1] - a[1]
	})
	end := -1
	for _, s := range spans {
		if s[0] >= end && s[1] > s[0] {
			o[fmt.Sprintf("%s:%d-%d", file, s[0], s[1])] = true
			end = s[1]
		}
	}
}

// TestAgreesWithAstGrep cuts patterns out of real code and compares where both
// find them.
func TestAgreesWithAstGrep(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	bin := astGrep(t)
	for _, c := range corpora(t) {
		t.Run(c.lang, func(t *testing.T) {
			dir, files := copyCorpus(t, c)
			trees := make([]*Tree, len(files))
			texts := map[string][]byte{}
			for i, f := range files {
				text, err := os.ReadFile(filepath.Join(dir, f))
				if err != nil {
					t.Fatal(err)
				}
				texts[f] = text
				if trees[i], err = Parse(t.Context(), c.lang, text); err != nil {
					t.Fatal(err)
				}
			}
			patterns := generatePatterns(t, bin, c.lang, trees, 100)
			theirs := astGrepMatches(t, bin, c.lang, dir, patterns, texts)
			same, all, equal, compared := 0, 0, 0, 0
			classes := map[string]int{}
			for i, pattern := range patterns {
				p, err := Compile(t.Context(), pattern, c.lang, CompileOptions{Strictness: strictnessFor(i)})
				if err != nil && c.least < 0.95 {
					// An older grammar cannot read it; it counts as disagreement.
					t.Logf("%s: %v", pattern, err)
					compared, all = compared+1, all+len(theirs[i])
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", pattern, err)
					continue
				}
				kind := astGrepKind(t, bin, c.lang, pattern)
				ours, more, filter := outermost{}, 0, newPrefilter(p)
				for k, tree := range trees {
					found, err := p.Match(t.Context(), tree)
					if err != nil {
						t.Fatal(err)
					}
					if len(found) > 0 && !filter.mayMatch(tree.tree.Text) {
						t.Errorf("%s: a file with %d matches is not searched", pattern, len(found))
					}
					var spans [][2]int
					for _, m := range found {
						if tree.tree.Lang.KindName(tree.tree.Nodes[m.node].Kind) != kind {
							more++
							continue
						}
						spans = append(spans, [2]int{m.Start, m.End})
					}
					ours.add(files[k], tree.tree.Text, spans)
				}
				if more > 0 {
					classes["matches of further readings"] += more
				}
				if class := differenceClass(p); class != "" && !maps.Equal(ours, theirs[i]) {
					classes[class]++
					continue
				}
				compared++
				s, a := agreement(t, strictnessFor(i).String()+" "+pattern, ours, theirs[i])
				if same, all = same+s, all+a; s == a {
					equal++
				}
			}
			rate := float64(same) / float64(all)
			t.Logf("%s: %d of %d outermost matches are the same: %.3f %%; %d of %d patterns agree wholly", c.lang, same, all, 100*rate, equal, compared)
			for class, n := range classes {
				t.Logf("%s: %d %s", c.lang, n, class)
			}
			if rate < c.least {
				t.Errorf("agreement is below %.1f %%", 100*c.least)
			}
		})
	}
}

// astGrepKind is the kind of node that ast-grep takes a pattern for.
func astGrepKind(t *testing.T, bin, lang, pattern string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, "run", "-l", lang, "-p", pattern, "--debug-query=pattern", "--stdin")
	cmd.Stdin = strings.NewReader("")
	out, _ := cmd.CombinedOutput() // finding nothing is a failure
	_, rest, _ := strings.Cut(string(out), "Debug Pattern:\n")
	kind, _, _ := strings.Cut(rest, "\n")
	kind, _, _ = strings.Cut(kind, " ")
	return kind
}

// differenceClass names the reason for which a pattern is known to match
// otherwise; DEVIATIONS.md explains each.
func differenceClass(p *Pattern) string {
	var has func(n *patternNode, kinds ...string) bool
	has = func(n *patternNode, kinds ...string) bool {
		return n.op == opInternal && slices.Contains(kinds, p.lang.grammar.KindName(n.kind)) ||
			slices.ContainsFunc(n.children, func(c patternNode) bool { return has(&c, kinds...) })
	}
	var hidden func(n *patternNode) bool
	hidden = func(n *patternNode) bool {
		return n.hidden != "" || slices.ContainsFunc(n.children, func(c patternNode) bool { return hidden(&c) })
	}
	if hidden(p.readings[0].root) {
		return "patterns with text that the grammar hides"
	}
	if p.lang.Name == "go" && has(p.readings[0].root, "block", "expression_case", "default_case", "type_case", "communication_case") {
		return "patterns with Go blocks, which ast-grep's grammar gives a statement_list"
	}
	return ""
}

// agreement counts the matches both have and those either has.
func agreement(t *testing.T, pattern string, ours, theirs outermost) (same, all int) {
	t.Helper()
	var extra, missing []string
	for m := range ours {
		if theirs[m] {
			same++
		} else {
			extra = append(extra, m)
		}
	}
	for m := range theirs {
		if !ours[m] {
			missing = append(missing, m)
		}
	}
	if len(extra)+len(missing) > 0 {
		slices.Sort(extra)
		slices.Sort(missing)
		t.Logf("pattern %q: %d same, %d only ours %v, %d only ast-grep's %v", pattern, same,
			len(extra), extra[:min(3, len(extra))], len(missing), missing[:min(3, len(missing))])
	}
	return same, same + len(extra) + len(missing)
}

// generatePatterns takes random subtrees and puts metavariables in place of some
// of what is inside, keeping those that ast-grep accepts.
func generatePatterns(t *testing.T, bin, lang string, trees []*Tree, count int) []string {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	empty := t.TempDir()
	var patterns []string
	for tries := 0; len(patterns) < count && tries < count*40; tries++ {
		tree := trees[rng.IntN(len(trees))].tree
		i := rng.IntN(len(tree.Nodes))
		n := &tree.Nodes[i]
		if n.Flags&flat.Named == 0 || n.Flags&(flat.HasError|flat.Extra) != 0 || n.Skip < 4 || n.Skip > 80 || n.End-n.Start > 240 {
			continue
		}
		pattern := abstractNode(rng, tree, i)
		if rng.IntN(3) == 0 {
			pattern = abstractList(rng, tree, i)
		}
		if slices.Contains(patterns, pattern) {
			continue
		}
		cmd := exec.CommandContext(t.Context(), bin, "run", "-l", lang, "-p", pattern, "--stdin", "--json")
		cmd.Stdin = strings.NewReader("")
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), "ERROR node") || strings.Contains(string(out), "Error:") || err != nil && len(out) > 20 {
			continue
		}
		if cmd := exec.CommandContext(t.Context(), bin, "scan", "--inline-rules", inlineRule(t, "r0", lang, pattern, Smart), empty); cmd.Run() != nil {
			continue
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

// strictnessFor spreads the levels over the patterns; most are smart.
func strictnessFor(i int) Strictness {
	if i%3 != 0 {
		return Smart
	}
	return Strictness(i / 3 % 5) // a template has no kind, which rules must have
}

func inlineRule(t *testing.T, id, lang, pattern string, strictness Strictness) string {
	t.Helper()
	rule, err := json.Marshal(map[string]any{
		"id": id, "language": lang, "message": "",
		"rule": map[string]any{"pattern": map[string]any{"context": pattern, "strictness": strictness.String()}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(rule)
}

// abstractNode is the text of a node with some of its descendants replaced by
// metavariables, equal ones by the same.
func abstractNode(rng *rand.Rand, t *flat.Tree, root int) string {
	type hole struct{ start, end uint32 }
	var holes []hole
	end := root + int(t.Nodes[root].Skip)
	for i := root + 1; i < end; {
		n := &t.Nodes[i]
		if n.Flags&flat.Named != 0 && n.End > n.Start && rng.IntN(4) == 0 && len(holes) < 4 {
			holes = append(holes, hole{n.Start, n.End})
			i += int(n.Skip)
			continue
		}
		i++
	}
	var b strings.Builder
	at := t.Nodes[root].Start
	names := map[string]string{}
	for _, h := range holes {
		b.Write(t.Text[at:h.start])
		text := string(t.Text[h.start:h.end])
		if names[text] == "" {
			names[text] = fmt.Sprintf("$%c", 'A'+len(names))
		}
		b.WriteString(names[text])
		at = h.end
	}
	b.Write(t.Text[at:t.Nodes[root].End])
	return b.String()
}

// abstractList is the text of a node with what is between some pair of brackets
// in it replaced by a list.
func abstractList(rng *rand.Rand, t *flat.Tree, root int) string {
	type pair struct{ open, shut uint32 }
	var pairs []pair
	for i := root; i < root+int(t.Nodes[root].Skip); i++ {
		first, last := i+1, -1
		for c := first; c < i+int(t.Nodes[i].Skip); c += int(t.Nodes[c].Skip) {
			last = c
		}
		if last > first && slices.Contains([]string{"()", "[]", "{}"}, string(t.NodeText(first))+string(t.NodeText(last))) {
			pairs = append(pairs, pair{t.Nodes[first].End, t.Nodes[last].Start})
		}
	}
	if len(pairs) == 0 {
		return abstractNode(rng, t, root)
	}
	p := pairs[rng.IntN(len(pairs))]
	return string(t.Text[t.Nodes[root].Start:p.open]) + "$$$LIST" + string(t.Text[p.shut:t.Nodes[root].End])
}

// astGrepMatches runs all patterns at once.
func astGrepMatches(t *testing.T, bin, lang, dir string, patterns []string, texts map[string][]byte) []outermost {
	t.Helper()
	var rules []string
	for i, p := range patterns {
		rules = append(rules, inlineRule(t, fmt.Sprint("r", i), lang, p, strictnessFor(i)))
	}
	cmd := exec.CommandContext(t.Context(), bin, "scan", "--inline-rules", strings.Join(rules, "\n---\n"), "--json=stream", "--no-ignore", "hidden", ".")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatalf("ast-grep: %v: %s", err, stderr.String())
	}
	spans := make([]map[string][][2]int, len(patterns))
	for lines := bufio.NewReader(bytes.NewReader(out)); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			break
		}
		var m struct {
			RuleID, File string
			Range        struct {
				ByteOffset struct{ Start, End int }
			}
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		var i int
		if _, err := fmt.Sscanf(m.RuleID, "r%d", &i); err != nil {
			t.Fatal(err)
		}
		if spans[i] == nil {
			spans[i] = map[string][][2]int{}
		}
		file := filepath.Base(m.File)
		spans[i][file] = append(spans[i][file], [2]int{m.Range.ByteOffset.Start, m.Range.ByteOffset.End})
	}
	all := make([]outermost, len(patterns))
	for i := range patterns {
		all[i] = outermost{}
		for file, s := range spans[i] {
			all[i].add(file, texts[file], s)
		}
	}
	return all
}
