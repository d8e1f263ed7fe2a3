// A whole practice game by a client that is generated from the contract, against a
// service that speaks with words which came later: `player ORIGIN EDITION`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"player/kingup"
)

var (
	known = strings.NewReplacer(`"abstain"`, `"no"`, `"climb"`, `"move"`, `"climbed"`, `"moved"`)
	later = strings.NewReplacer(`"no"`, `"abstain"`, `"move"`, `"climb"`, `"moved"`, `"climbed"`)
)

// laterVersion is the service with a card, a kind of answer and a type of event that no
// contract of today has.
type laterVersion struct{}

func (laterVersion) RoundTrip(request *http.Request) (*http.Response, error) {
	text, err := reworded(request.Body, known)
	if err != nil {
		return nil, err
	}
	url, body := request.URL.String(), strings.NewReader(text)
	sent, err := http.NewRequestWithContext(request.Context(), request.Method, url, body)
	if err != nil {
		return nil, err
	}
	sent.Header = request.Header
	answer, err := http.DefaultTransport.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	text, err = reworded(answer.Body, later)
	answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	return answer, err
}

// reworded is a body with other words in it.
func reworded(body io.ReadCloser, words *strings.Replacer) (string, error) {
	if body == nil {
		return "", nil
	}
	defer body.Close()
	text, err := io.ReadAll(body)
	return words.Replace(string(text)), err
}

// must is what was answered, or the end of the program with what went wrong.
func must[T any](found T, _ *http.Response, err error) T {
	var problem *kingup.GenericOpenAPIError
	if errors.As(err, &problem) {
		log.Fatalf("%v: %s", err, problem.Body())
	} else if err != nil {
		log.Fatal(err)
	}
	return found
}

// tag is the property that tells the forms of a union apart, whichever this one is.
func tag(union json.Marshaler, property string) string {
	var fields map[string]any
	if text, err := union.MarshalJSON(); err != nil {
		log.Fatal(err)
	} else if err := json.Unmarshal(text, &fields); err != nil {
		log.Fatal(err)
	}
	return fields[property].(string)
}

// play answers whatever a game asks until it is over.
func play(ctx context.Context, client *kingup.APIClient) (given []kingup.Answer) {
	for {
		list := must(client.TurnsAPI.ListTurns(ctx).View(true).Wait(5).Execute())
		for _, turn := range list.Turns {
			legal := turn.View.Get().Legal
			answer := legal[len(given)%len(legal)].Answer
			put := client.PlayAPI.PutAnswer(ctx, turn.Game, turn.Decision)
			must(put.Answer(answer).Execute())
			given = append(given, answer)
		}
		if list.Running == 0 {
			return given
		}
	}
}

// words are some words, each once.
type words map[string]bool

func (some words) MarshalJSON() ([]byte, error) {
	return json.Marshal(slices.Sorted(maps.Keys(some)))
}

func main() {
	log.SetFlags(0)
	settings := kingup.NewConfiguration()
	settings.Servers = kingup.ServerConfigurations{{URL: os.Args[1]}}
	settings.HTTPClient = &http.Client{Transport: laterVersion{}}
	client, stranger := kingup.NewAPIClient(settings), context.Background()

	edition := kingup.EditionKey(os.Args[2])
	wish := kingup.PracticeGameCreation{Edition: &edition}
	creation := client.GamesAPI.CreatePracticeGame(stranger).PracticeGameCreation(wish)
	begun := must(creation.Execute())
	own := context.WithValue(stranger, kingup.ContextAccessToken, begun.Token)

	kinds, types, unknown := words{}, words{}, words{}
	for _, answer := range play(own, client) {
		kinds[tag(answer, "kind")] = true
		if answer.UnknownAnswer != nil {
			unknown[answer.UnknownAnswer.Kind] = true
		} else if answer.Ballot != nil && answer.Ballot.Card.String != nil {
			unknown[*answer.Ballot.Card.String] = true
		}
	}
	record := must(client.EventsAPI.ListEvents(own, begun.Game).Limit(500).Execute())
	for _, entry := range record.Events {
		types[tag(entry.Event, "type")] = true
		if entry.Event.UnknownEvent != nil {
			unknown[entry.Event.UnknownEvent.Type] = true
		}
	}
	view := must(client.PlayAPI.GetView(own, begun.Game).Execute())
	report := map[string]any{
		"kinds": kinds, "events": types, "unknown": unknown, "ended": view.EndReason,
	}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		log.Fatal(err)
	}
}
