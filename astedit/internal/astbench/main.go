// Command astbench measures the engine against ast-grep and, for scale, against
// rg -l. It copies source files of one language into a temporary directory, runs
// the programs in turn, and prints medians and ratios as a Markdown table.
//
//	go run ./astedit/internal/astbench -lang go -from "$(go env GOROOT)/src"
//
// ast-grep is taken from PENDING_LSP_ASTGREP or the PATH, rg from the PATH.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit"
)

// workload is one rule, which changes the layout of code at most; literal is what
// rg is asked for, "" for nothing.
type workload struct{ name, pattern, rewrite, literal string }

var workloads = map[string][]workload{
	"go": {
		{"absent literal", "noFileHasThisName($$$A)", "noFileHasThisName( $$$A)", "noFileHasThisName"},
		{"rare literal", "sync.OnceValues($$$A)", "sync.OnceValues( $$$A)", "OnceValues"},
		{"common, literals", "if err != nil { $$$B }", "if  err != nil { $$$B }", "err != nil"},
		{"repeated, no literals", "$A && $A()", "$A  && $A()", "&&"},
		{"no literals, many matches", "$A[$B]", "$A[ $B]", ""},
	},
	"typescript": {
		{"absent literal", "noFileHasThisName($$$A)", "noFileHasThisName( $$$A)", "noFileHasThisName"},
		{"rare literal", "FinalizationRegistry<$A>", "FinalizationRegistry< $A>", "FinalizationRegistry"},
		{"literal in the largest files", "requestAnimationFrame($$$A)", "requestAnimationFrame( $$$A)", "requestAnimationFrame"},
		{"common, literals", "Promise<$A>", "Promise< $A>", "Promise"},
		{"repeated, no literals", "$A | $A", "$A  | $A", ""},
		{"no literals, many matches", "[$A]", "[ $A]", ""},
	},
	"javascript": {
		{"absent literal", "noFileHasThisName($$$A)", "noFileHasThisName( $$$A)", "noFileHasThisName"},
		{"rare literal", "structuredClone($$$A)", "structuredClone( $$$A)", "structuredClone"},
		{"common, literals", "return this.$A", "return  this.$A", "return"},
		{"repeated, no literals", "$A && $A()", "$A  && $A()", "&&"},
		{"no literals, many matches", "$A[$B]", "$A[ $B]", ""},
	},
}

func main() {
	lang := flag.String("lang", "go", "language: go, typescript or javascript")
	from := flag.String("from", "", "directories to take source files from, separated by commas")
	megabytes := flag.Int("mb", 60, "how many MB of source to take")
	runs := flag.Int("runs", 7, "runs of each program")
	only := flag.String("only", "", "measure only workloads with this in their name")
	cli := flag.String("cli", "", "path of pending-lsp: time previews pushed through its daemon too")
	one := flag.String("one", "", "internal: scan this directory once for -pattern and print JSON")
	warm := flag.String("warm", "", "internal: scan this directory -runs times with a warm cache and print the median")
	pattern := flag.String("pattern", "", "internal: see -one")
	rewrite := flag.String("rewrite", "", "internal: see -one")
	flag.Parse()
	op := astedit.Op{Pattern: *pattern, Rewrite: *rewrite}
	var err error
	switch {
	case *one != "":
		err = scanOnce(*one, *lang, op)
	case *warm != "":
		err = warmScan(*warm, *lang, op, *runs)
	default:
		err = compare(*lang, *from, *only, *cli, *megabytes<<20, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "astbench:", err)
		os.Exit(1)
	}
}

// sample is the cost of one run of a program.
type sample struct {
	wall time.Duration
	cpu  time.Duration // of all threads, which a busy machine changes less
	peak int64         // bytes of memory
}

func compare(lang, from, only, cli string, size, runs int) error {
	loads, ok := workloads[lang]
	if !ok || from == "" {
		return fmt.Errorf("need -lang go, typescript or javascript, and -from")
	}
	astGrep := os.Getenv("PENDING_LSP_ASTGREP")
	if astGrep == "" {
		var err error
		if astGrep, err = exec.LookPath("ast-grep"); err != nil {
			return fmt.Errorf("ast-grep is not here: npm i @ast-grep/cli@0.51.1 and set PENDING_LSP_ASTGREP: %w", err)
		}
	}
	rg, _ := exec.LookPath("rg")
	dir, taken, err := copyFiles(lang, strings.Split(from, ","), size)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	d := daemon{cli: cli, dir: dir}
	if err := d.start(); err != nil {
		return err
	}
	defer d.stop()
	fmt.Printf("%s, %.1f MB\n\n", lang, float64(taken)/(1<<20))
	fmt.Println("| | in files with, % | ours, s | ast-grep, s | ratio | CPU ratio | rg -l, s | ratio | warm, s | ratio | pushed, s | ratio | ours, MB | ast-grep, MB |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, w := range loads {
		if !strings.Contains(w.name, only) {
			continue
		}
		var ours, theirs, grep []sample
		for range runs {
			ours = append(ours, measure(exec.Command(self, "-one", dir, "-lang", lang, "-pattern", w.pattern, "-rewrite", w.rewrite)))
			cmd := exec.Command(astGrep, "run", "-l", lang, "-p", w.pattern, "-r", w.rewrite, "--json=compact", ".")
			cmd.Dir = dir
			theirs = append(theirs, measure(cmd))
			if rg != "" && w.literal != "" {
				cmd := exec.Command(rg, "-l", "-F", w.literal, ".")
				cmd.Dir = dir
				grep = append(grep, measure(cmd))
			}
		}
		out, err := exec.Command(self, "-warm", dir, "-lang", lang, "-pattern", w.pattern, "-rewrite", w.rewrite, "-runs", fmt.Sprint(runs)).Output()
		if err != nil {
			return err
		}
		warm, err := time.ParseDuration(strings.TrimSpace(string(out)))
		if err != nil {
			return err
		}
		share, err := shareWith(dir, w.literal)
		if err != nil {
			return err
		}
		a, b := median(ours), median(theirs)
		fmt.Printf("| `%s` (%s) | %.1f | %.3f | %.2f | **%.2f** | %.2f | ", strings.ReplaceAll(w.pattern, "|", "\\|"), w.name, 100*share,
			a.wall.Seconds(), b.wall.Seconds(), ratio(a.wall, b.wall), ratio(a.cpu, b.cpu))
		if len(grep) > 0 {
			g := median(grep)
			fmt.Printf("%.3f | %.1f | ", g.wall.Seconds(), ratio(a.wall, g.wall))
		} else {
			fmt.Print("– | – | ")
		}
		fmt.Printf("%.3f | **%.3f** | ", warm.Seconds(), ratio(warm, b.wall))
		if cli != "" {
			pushed, err := d.push(lang, w, runs)
			if err != nil {
				return err
			}
			fmt.Printf("%.3f | **%.3f** | ", pushed.wall.Seconds(), ratio(pushed.wall, b.wall))
		} else {
			fmt.Print("– | – | ")
		}
		fmt.Printf("%d | %d |\n", a.peak>>20, b.peak>>20)
	}
	return nil
}

// measure runs a program to its end; its output is thrown away and its exit
// status does not matter: finding nothing is 1.
func measure(cmd *exec.Cmd) sample {
	start := time.Now()
	_ = cmd.Run()
	s := sample{wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peak = usage.Maxrss << 10
	}
	return s
}

func median(samples []sample) sample {
	middle := func(of func(sample) int64) int64 {
		values := make([]int64, len(samples))
		for i, s := range samples {
			values[i] = of(s)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return sample{
		wall: time.Duration(middle(func(s sample) int64 { return int64(s.wall) })),
		cpu:  time.Duration(middle(func(s sample) int64 { return int64(s.cpu) })),
		peak: middle(func(s sample) int64 { return s.peak }),
	}
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// shareWith is how much of the text below dir is in files that have the literal.
// That much must be parsed.
func shareWith(dir, literal string) (float64, error) {
	var with, all int
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if all += len(text); bytes.Contains(text, []byte(literal)) {
			with += len(text)
		}
		return err
	})
	return float64(with) / float64(all), err
}

// copyFiles copies source files until size bytes are taken. Directories called
// node_modules get another name, for ast-grep would search them and we not.
func copyFiles(lang string, from []string, size int) (dir string, taken int, err error) {
	if dir, err = os.MkdirTemp("", "astbench"); err != nil {
		return "", 0, err
	}
	for i, root := range from {
		err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || (*astedit.Languages)(nil).Of(path) != lang {
				return nil
			}
			if taken > size {
				return filepath.SkipAll
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			to := filepath.Join(dir, fmt.Sprint(i), strings.ReplaceAll(rel, "node_modules", "modules"))
			if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				return err
			}
			taken += len(text)
			old := time.Now().Add(-time.Hour)
			if err := os.WriteFile(to, text, 0o600); err != nil { //nolint:forbidigo // a temporary copy, no user's file
				return err
			}
			return os.Chtimes(to, old, old)
		})
		if err != nil {
			return dir, taken, err
		}
	}
	return dir, taken, nil
}
