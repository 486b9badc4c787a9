package pending

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// lockWait is how long to wait for a process that is just closing the journal.
const lockWait = 100 * time.Millisecond

// BoltJournal is a [Journal] in one local file, which it locks. One Store is one
// transaction with two fsyncs.
type BoltJournal struct{ db *bbolt.DB }

var _ Journal = (*BoltJournal)(nil)

// OpenBolt opens or creates the journal in a file; its directory must exist. A
// file that is damaged is set aside with a warning, and a new one is begun. If
// another process has it open, OpenBolt fails after a moment with kind
// [StoreUnavailable].
func OpenBolt(path string, log *slog.Logger) (*BoltJournal, error) {
	db, err := openChecked(path)
	if err == nil {
		return &BoltJournal{db}, nil
	}
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &Error{Kind: StoreUnavailable, Err: err, Message: fmt.Sprintf("%s is in use by another process. Stop that one, or choose another state directory.", filepath.Base(path))}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	aside := path + ".damaged-" + time.Now().UTC().Format("20060102T150405.000000000")
	if renameErr := os.Rename(path, aside); renameErr != nil {
		return nil, fmt.Errorf("open the journal: %w, and set it aside: %w", err, renameErr)
	}
	log.Warn("the journal is damaged; it was set aside and a new one begun", "file", path, "aside", aside, "err", err)
	if db, err = openChecked(path); err != nil {
		return nil, fmt.Errorf("open a new journal: %w", err)
	}
	return &BoltJournal{db}, nil
}

// openChecked opens the file and reads all of it once: bbolt trusts its pages
// and would fault on one that is damaged, or missing, only later.
func openChecked(path string) (db *bbolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("damaged: %v", r)
		}
		if err != nil && db != nil {
			err = errors.Join(err, closeQuietly(db))
			db = nil
		}
	}()
	db, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return nil, err
	}
	return db, db.View(func(tx *bbolt.Tx) error {
		if info, err := os.Stat(path); err != nil || info.Size() < tx.Size() {
			return errors.Join(errors.New("truncated"), err)
		}
		return walk(tx)
	})
}

// walk reads every key and value.
func walk(tx *bbolt.Tx) error {
	return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
		return b.ForEach(func(k, v []byte) error {
			for _, page := range [][]byte{k, v} {
				if len(page) > 0 {
					_ = page[0] + page[len(page)-1]
				}
			}
			return nil
		})
	})
}

// closeQuietly closes a damaged database, which may panic too.
func closeQuietly(db *bbolt.DB) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("close: %v", r)
		}
	}()
	return db.Close()
}

// Load implements [Journal].
func (j *BoltJournal) Load(root string, f func(key string, value []byte) error) error {
	return j.db.View(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(root))
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error { return f(string(k), v) })
	})
}

// Store implements [Journal].
func (j *BoltJournal) Store(root string, changes []Change) error {
	return j.db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte(root))
		if err != nil {
			return err
		}
		for _, c := range changes {
			if c.Value == nil {
				err = b.Delete([]byte(c.Key))
			} else {
				err = b.Put([]byte(c.Key), c.Value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Close releases the file. The registries that use the journal must be done.
func (j *BoltJournal) Close() error { return j.db.Close() }
