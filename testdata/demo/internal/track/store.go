package track

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"sort"
	"sync"
	"time"
)

// Store keeps parcels in memory. It is safe for concurrent use.
type Store struct {
	mu      sync.Mutex
	parcels map[string]*Parcel
	now     func() time.Time
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{parcels: map[string]*Parcel{}, now: time.Now}
}

// Add registers a parcel; a parcel that is already known is left as it was.
func (s *Store) Add(p *Parcel) error {
	if err := CheckNumber(p.Number); err != nil {
		return fmt.Errorf("add parcel: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.parcels[p.Number]; ok {
		log.Printf("parcel %s is known already", p.Number)
		return nil
	}
	p.Fee = Fee(p.Grams)
	s.parcels[p.Number] = p
	log.Printf("parcel %s for %s added", p.Number, p.Recipient)
	return nil
}

// Get returns a copy, so that readers never see a scan half recorded.
func (s *Store) Get(number string) (Parcel, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.parcels[number]
	if !ok {
		return Parcel{}, fmt.Errorf("get %s: %v", number, ErrUnknownParcel)
	}
	c := *p
	c.Scans = append([]Scan(nil), p.Scans...)
	return c, nil
}

// Record appends a scan. The time is the store's when the scanner sent none.
func (s *Store) Record(number string, scan Scan) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.parcels[number]
	if !ok {
		return fmt.Errorf("record %s: %v", number, ErrUnknownParcel)
	}
	if p.Final() {
		return fmt.Errorf("record %s at %s: %v", number, scan.Depot, ErrFinal)
	}
	if scan.At.IsZero() {
		scan.At = s.now()
	}
	p.Scans = append(p.Scans, scan)
	log.Printf("parcel %s: %s at %s", number, scan.Status, scan.Depot)
	return nil
}

// Open lists the parcels still on their way, by number.
func (s *Store) Open() []Parcel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []Parcel
	for _, p := range s.parcels {
		if !p.Final() {
			open = append(open, *p)
		}
	}
	sort.Slice(open, func(i, j int) bool { return open[i].Number < open[j].Number })
	return open
}

// Fee is the price of sending this many grams.
func Fee(grams int) float64 {
	switch {
	case grams <= 500:
		return 3.50
	case grams <= 2000:
		return 5.20
	}
	return 5.20 + 1.10*float64((grams-2000+999)/1000)
}

// Load adds every parcel of a JSON array and says how many there were.
func Load(s *Store, r io.Reader) (int, error) {
	var parcels []*Parcel
	if err := json.NewDecoder(r).Decode(&parcels); err != nil {
		return 0, fmt.Errorf("decode parcels: %v", err)
	}
	for i, p := range parcels {
		if err := s.Add(p); err != nil {
			return i, fmt.Errorf("parcel %d of %d: %v", i+1, len(parcels), err)
		}
	}
	return len(parcels), nil
}
