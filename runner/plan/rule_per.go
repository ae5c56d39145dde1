package plan

import "tidemark/spec"

var valuesThatStay = rule{Rule: spec.Rule{ID: "TM216", Group: "time", Severity: spec.Error, Fixed: true, Title: "a watermark per value without idle",
	Text: `With per: device_id each device has a watermark of its own, and the least of them counts. A device that falls silent would hold all
windows for ever. idle says how far, by event time, a value may be behind the greatest time of its partition before it is forgotten;
it counts again from its next record on.`,
	Fails: clicks(withTime + "    watermark: {bounded: 5s, per: user}\n"), Passes: clicks(withTime + "    watermark: {bounded: 5s, per: user, idle: 10m}\n")}}
