package pending

import (
	"slices"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// batches groups changes, each of which applies to the text left by the one
// before it, into as few sorted edits of one text as their order allows. Clients
// send the changes of many cursors from the end of the text to its start, or the
// other way round; either becomes one batch, and one copy of the text.
func batches(changes []textedit.Edit) [][]textedit.Edit {
	var out [][]textedit.Edit
	for len(changes) > 0 {
		n := backwards(changes)
		if n > 1 {
			batch := slices.Clone(changes[:n])
			slices.Reverse(batch)
			out, changes = append(out, batch), changes[n:]
			continue
		}
		batch := forwards(changes)
		out, changes = append(out, batch), changes[len(batch):]
	}
	return out
}

// singles makes a batch of every change.
func singles(changes []textedit.Edit) [][]textedit.Edit {
	out := make([][]textedit.Edit, len(changes))
	for i := range changes {
		out[i] = changes[i : i+1]
	}
	return out
}

// backwards counts the first changes that each end before the one before starts.
func backwards(changes []textedit.Edit) int {
	n := 1
	for n < len(changes) && changes[n].Start <= changes[n].End && changes[n].End <= changes[n-1].Start {
		n++
	}
	return n
}

// forwards returns the first changes that each start behind what the one before
// left, as offsets into the text before all of them.
func forwards(changes []textedit.Edit) []textedit.Edit {
	batch := changes[:1:1]
	shift := growth(changes[0])
	left := changes[0].Start + len(changes[0].New)
	for _, c := range changes[1:] {
		if c.Start < left || c.End < c.Start {
			break
		}
		batch = append(batch, textedit.Edit{Start: c.Start - shift, End: c.End - shift, New: c.New})
		shift += growth(c)
		left = c.Start + len(c.New)
	}
	return batch
}

// narrow returns the edits without what they leave as it is, so that a client
// that sends whole lines touches no more than it changes.
func narrow(text []byte, edits []textedit.Edit) []textedit.Edit {
	var out []textedit.Edit
	for _, e := range edits {
		out = append(out, diffRegion(text, e.Start, e.End, []byte(e.New))...)
	}
	return out
}
