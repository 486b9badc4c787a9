package astedit

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
)

// readIndex returns the paths in a git index, sorted; nil when there is none or
// its format is unknown. Merge conflicts give a path several times.
func readIndex(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil || len(data) < 12 || string(data[:4]) != "DIRC" {
		return nil
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil
	}
	// An entry is 62 bytes of fixed fields with SHA-1, 74 with SHA-256. The
	// checksum at the end tells them apart only by trying.
	for _, hashSize := range []int{20, 32} {
		if paths, ok := indexPaths(data[12:], version, count, hashSize); ok {
			slices.Sort(paths)
			return paths
		}
	}
	return nil
}

func indexPaths(data []byte, version, count uint32, hashSize int) (paths []string, ok bool) {
	const statSize = 40
	fixed := statSize + hashSize + 2
	previous := ""
	for range count {
		if len(data) < fixed+1 {
			return nil, false
		}
		flags := binary.BigEndian.Uint16(data[fixed-2:])
		at := fixed
		if flags&0x4000 != 0 {
			if version < 3 {
				return nil, false
			}
			at += 2
		}
		keep := 0
		if version == 4 {
			strip, n := indexVarint(data[at:])
			if n == 0 || strip > len(previous) {
				return nil, false
			}
			at += n
			keep = len(previous) - strip
		}
		end := bytes.IndexByte(data[min(at, len(data)):], 0)
		if end < 0 {
			return nil, false
		}
		path := previous[:keep] + string(data[at:at+end])
		// Names shorter than 0xFFF have their length in the flags.
		if length := int(flags & 0xFFF); length != 0xFFF && length != len(path) {
			return nil, false
		}
		at += end
		if version == 4 {
			at++
			previous = path
		} else {
			at = at/8*8 + 8 // one to eight NULs
		}
		if at > len(data) {
			return nil, false
		}
		paths = append(paths, path)
		data = data[at:]
	}
	return paths, true
}

// indexVarint reads the variable-width number of index version 4: each further
// byte adds one before shifting.
func indexVarint(data []byte) (value, size int) {
	for i, b := range data[:min(len(data), 8)] {
		value = value<<7 | int(b&0x7F)
		if b&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}
