package agg

// Example is a call of an aggregate and what it gives, as JSON, over ExampleRecords.
type Example struct {
	Call, Result string
	// If is what the form with a condition gives, of the records where status is "PAID".
	If string
}

// ExampleRecords are what the examples are computed over: one JSON object a line.
const ExampleRecords = `{"user_id": "ann", "amount": 20, "status": "PAID"}
{"user_id": "bob", "amount": 50, "status": "PAID"}
{"user_id": "ann", "amount": 35, "status": "OPEN"}
{"user_id": "eve", "amount": null, "status": "OPEN"}
`

// exampleCondition is the condition of the examples.
const exampleCondition = `status == "PAID"`
