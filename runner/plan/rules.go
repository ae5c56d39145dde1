package plan

import "tidemark/spec"

// rule is a page of the rule table with the check that finds it. What is found while a file is compiled has no
// check of its own.
type rule struct {
	spec.Rule
	check func(c *compiler)
}

// rules are those of this package, in the order in which their checks run.
var rules = []rule{
	unknownFrom, cycle, unusedBlock, noBlocks, unknownOutput, neverLate, sameTarget, clash,
	unknownField, syntax, mismatch, noCondition, unknownFunction, foreignOperator, noSchema, aggregateMisused, nullable, division, constantArgument,
	noEventTime, noWatermarkEver, arrivalTime, noUnit, unreadLate, neverIdle, waitsForQuiet, hastyIdle, shortGap, noDisorder, longWait, farAhead,
	noMarker, noWatermark, notRepeatable, valuesThatStay,
	neverEmits, writtenGlobal, duplicateRows, shortKey, windowSteps, correctedRows, windowSizes, oneGroup, noUpsertKey, nullableKey, endlessKey,
	fileUpsert, neverComplete, forgetful, noEffect, unreadDirty, onceWithoutCheckpoint, nameOfFormat, notSupported,
}

func init() {
	for _, r := range rules {
		spec.RegisterRule(r.Rule)
	}
}
