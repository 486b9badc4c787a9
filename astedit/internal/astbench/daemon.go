package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// daemon is a pending-lsp daemon of the benchmark's own.
type daemon struct {
	cli, dir string
	home     string // its socket and journal
	process  *exec.Cmd
}

// start runs the daemon; without a program to run there is none.
func (d *daemon) start() error {
	if d.cli == "" {
		return nil
	}
	var err error
	if d.cli, err = filepath.Abs(d.cli); err != nil {
		return err
	}
	if d.home, err = os.MkdirTemp("", "astbench-daemon"); err != nil {
		return err
	}
	d.process = d.command("daemon", "--listen", d.socket(), "--listen.timeout", "0")
	out, err := d.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := d.process.Start(); err != nil {
		return err
	}
	_, err = bufio.NewReader(out).ReadString('\n') // it says when it is ready
	return err
}

func (d *daemon) stop() {
	if d.process != nil {
		_ = d.process.Process.Kill()
		_ = d.process.Wait()
		_ = os.RemoveAll(d.home)
	}
}

func (d *daemon) socket() string { return "unix;" + filepath.Join(d.home, "sock") }

func (d *daemon) command(args ...string) *exec.Cmd {
	cmd := exec.Command(d.cli, args...)
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+d.home)
	return cmd
}

// push measures edits that are pushed on the stack, from the start of the command
// line to the end of the diff that it prints, once the daemon has seen the files.
// Each is discarded again.
func (d *daemon) push(lang string, w workload, runs int) (sample, error) {
	var samples []sample
	for i := range runs + 1 {
		cmd := d.command("edit", "--remote", d.socket(), "-l", lang, "-p", w.pattern, "-r", w.rewrite, "--allow-broken", "--push")
		s := measure(cmd)
		switch cmd.ProcessState.ExitCode() {
		case 0:
			if out, err := d.command("resolve", "discard", "--remote", d.socket()).CombinedOutput(); err != nil {
				return sample{}, fmt.Errorf("discard: %w: %s", err, out)
			}
		case 1: // nothing matches, nothing is pending
		default:
			return sample{}, fmt.Errorf("pushing %s exits with %d", w.pattern, cmd.ProcessState.ExitCode())
		}
		if i > 0 {
			samples = append(samples, s)
		}
	}
	return median(samples), nil
}
