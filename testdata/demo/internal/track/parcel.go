// Package track holds parcels and the scans that move them.
package track

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Status is where a parcel stands, in the order it normally goes through them.
type Status string

const (
	Announced      Status = "announced"
	InTransit      Status = "in-transit"
	OutForDelivery Status = "out-for-delivery"
	Delivered      Status = "delivered"
	Returned       Status = "returned"
)

var (
	ErrUnknownParcel = errors.New("unknown parcel")
	ErrBadNumber     = errors.New("bad tracking number")
	ErrFinal         = errors.New("parcel has reached its final status")
)

// Scan is one event at one depot.
type Scan struct {
	Depot  string    `json:"depot"`
	Status Status    `json:"status"`
	At     time.Time `json:"at"`
}

// Parcel is what is sent; Scans are oldest first.
type Parcel struct {
	Number    string  `json:"number"`
	Recipient string  `json:"recipient"`
	Grams     int     `json:"grams"`
	Scans     []Scan  `json:"scans"`
	Fee       float64 `json:"fee"`
}

// Status is that of the last scan.
func (p *Parcel) Status() Status {
	if len(p.Scans) == 0 {
		return Announced
	}
	return p.Scans[len(p.Scans)-1].Status
}

// Final reports whether no further scan is expected.
func (p *Parcel) Final() bool {
	s := p.Status()
	return s == Delivered || s == Returned
}

// CheckNumber accepts two letters, nine digits whose last is a check digit, and two letters.
func CheckNumber(number string) error {
	if len(number) != 13 {
		return fmt.Errorf("%q has %d characters, want 13: %v", number, len(number), ErrBadNumber)
	}
	letters := number[:2] + number[11:]
	if strings.ToUpper(letters) != letters {
		return fmt.Errorf("%q: letters must be upper case: %v", number, ErrBadNumber)
	}
	weights := []int{8, 6, 4, 2, 3, 5, 9, 7}
	sum := 0
	for i, w := range weights {
		d := number[2+i]
		if d < '0' || d > '9' {
			return fmt.Errorf("%q: character %d is not a digit: %v", number, 3+i, ErrBadNumber)
		}
		sum += w * int(d-'0')
	}
	check := 11 - sum%11
	if check == 10 {
		check = 0
	} else if check == 11 {
		check = 5
	}
	if int(number[10]-'0') != check {
		return fmt.Errorf("%q: check digit should be %d: %v", number, check, ErrBadNumber)
	}
	return nil
}
