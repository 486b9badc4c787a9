package pending

// SetFailPoint calls f at the named points of a write to disk; an error of its
// own makes the step fail.
func (o *Options) SetFailPoint(f func(name string) error) { o.failPoint = f }
