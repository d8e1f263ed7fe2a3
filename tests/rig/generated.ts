// A whole practice game by a client whose types are written from the contract, against
// a service that speaks with words which came later: `node generated.js ORIGIN EDITION`.
import createClient from "openapi-fetch";
import type { components, paths } from "./kingup.d.ts";

type Answer = components["schemas"]["Answer"];
type RecordEvent = components["schemas"]["RecordEvent"];

const LATER = [['"no"', '"abstain"'], ['"move"', '"climb"'], ['"moved"', '"climbed"']];
const [origin = "", edition = "classic"] = process.argv.slice(2);

async function later(request: Request): Promise<Response> {
  let sent = request.method === "GET" ? undefined : await request.text();
  for (const [known, word] of LATER) sent = sent?.replaceAll(word!, known!);
  const { method, headers } = request;
  const answer = await fetch(request.url, { method, headers, ...(sent && { body: sent }) });
  let told = await answer.text();
  for (const [known, word] of LATER) told = told.replaceAll(known!, word!);
  const kept = new Headers(answer.headers);
  for (const name of ["content-length", "content-encoding"]) kept.delete(name);
  return new Response(told || null, { status: answer.status, headers: kept });
}

function must<T>(data: T | undefined, error?: unknown): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const stranger = createClient<paths>({ baseUrl: origin, fetch: later });
const body = { name: "Rachel", edition: edition as components["schemas"]["EditionKey"] };
const practice = await stranger.POST("/v1/practice-games", { body });
const begun = must(practice.data, practice.error);
const headers = { Authorization: `Bearer ${begun.token}` };
const own = createClient<paths>({ baseUrl: origin, fetch: later, headers });

const given: Answer[] = [];
for (let running = 1; running;) {
  const query = { view: true, wait: 5 };
  const found = await own.GET("/v1/me/turns", { params: { query } });
  const list = must(found.data, found.error);
  running = list.running;
  for (const turn of list.turns) {
    const legal = turn.view?.legal ?? [];
    const answer = must(legal[given.length % legal.length]).answer;
    const path = { game: turn.game, decision: turn.decision };
    const put = "/v1/games/{game}/decisions/{decision}/answer";
    const done = await own.PUT(put, { params: { path }, body: answer });
    must(done.data, done.error);
    given.push(answer);
  }
}

const path = { game: begun.game };
const query = { limit: 500 };
const record = await own.GET("/v1/games/{game}/events", { params: { path, query } });
const events = must(record.data, record.error).events.map((each): RecordEvent => each.event);
const view = await own.GET("/v1/games/{game}/view", { params: { path } });
console.log(JSON.stringify({
  kinds: [...new Set(given.map((answer) => answer.kind))],
  events: [...new Set(events.map((event) => event.type))],
  ended: must(view.data, view.error).end_reason,
}));
