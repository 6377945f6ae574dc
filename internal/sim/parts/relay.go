package parts

// relay keeps the calls that pass through a part on their way to another one.
type relay struct {
	net    *Net
	outs   []*edge
	jobs   []relayed
	free   []uint32
	inside int64
}

// relayed is a call on its way through a part.
type relayed struct {
	call   CallID
	serial uint32 // of the request for it: a job may have ended before ask returns
	slot   uint32 // of the request
	port   int32
	target int32 // for the part
	tries  uint32
	sent   bool // a request for it is under way
	busy   bool
}

// take notes a call and returns its job.
func (r *relay) take(c CallID) (job uint32) {
	if k := len(r.free); k > 0 {
		job = r.free[k-1]
		r.free = r.free[:k-1]
	} else {
		r.jobs = append(r.jobs, relayed{})
		job = uint32(len(r.jobs) - 1)
	}
	serial := r.jobs[job].serial
	r.jobs[job] = relayed{call: c, serial: serial, busy: true}
	r.net.call(c).local = job
	r.inside++
	return job
}

// send passes the call of a job on. The job may have ended when send returns.
func (r *relay) send(job uint32, port int, copy uint16) {
	j := &r.jobs[job]
	j.serial++
	j.port, j.sent = int32(port), true
	serial := j.serial
	c := r.net.call(j.call)
	slot := r.outs[port].ask(want{
		token: job, kind: c.kind, copy: copy, key: c.key, size: c.size, deadline: c.deadline,
	})
	if j = &r.jobs[job]; j.serial == serial {
		j.slot = slot
	}
}

// end frees a job and returns its call.
func (r *relay) end(job uint32) CallID {
	j := &r.jobs[job]
	j.serial++
	j.busy, j.sent = false, false
	r.free = append(r.free, job)
	r.inside--
	return j.call
}

// withdraw ends the request for a job, if one is under way.
func (r *relay) withdraw(job uint32) {
	if j := &r.jobs[job]; j.sent {
		r.outs[j.port].withdraw(j.slot, job)
		j.sent = false
	}
}
