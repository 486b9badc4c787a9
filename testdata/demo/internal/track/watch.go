package track

import (
	"log"
	"time"
)

// Watcher reports parcels that nobody has scanned for too long.
type Watcher struct {
	store *Store
	limit time.Duration
	told  map[string]bool
}

// NewWatcher watches the store for parcels silent for longer than limit.
func NewWatcher(store *Store, limit time.Duration) *Watcher {
	return &Watcher{store: store, limit: limit, told: map[string]bool{}}
}

// Run checks at every interval, for as long as the process lives.
func (w *Watcher) Run(interval time.Duration) {
	for range time.Tick(interval) {
		w.check()
	}
}

func (w *Watcher) check() {
	for _, p := range w.store.Open() {
		if len(p.Scans) == 0 {
			continue
		}
		last := p.Scans[len(p.Scans)-1]
		silent := w.store.now().Sub(last.At)
		if silent < w.limit {
			delete(w.told, p.Number)
			continue
		}
		if w.told[p.Number] {
			continue
		}
		w.told[p.Number] = true
		log.Printf("parcel %s: silent for %s, last seen at %s", p.Number, silent.Round(time.Hour), last.Depot)
	}
}
