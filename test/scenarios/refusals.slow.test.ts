/** Existing clients show the field `error` to users, so every refusal has its sentence there. */
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { type Injected, type Injection } from '../../kernel/index.ts'
import { startStack } from '../helpers/stack.ts'
import { routesOf } from '../surface/shapes.ts'

const routes = (await routesOf('standalone')).map(({ spec }) => spec)

const Refused = v.looseObject({
  error: v.string(),
  code: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
  reason: v.string(),
})
/** Values that clients compare with, by the specification. */
const words: ReadonlySet<string> = new Set(['refused'])
const isSentence = (text: string): boolean => text.trim().split(' ').length >= 3

function judge(t: Test, answer: Injected, what: string): string {
  const { error, code, reason } = v.parse(Refused, answer.json())
  t.ok(words.has(error) || (error === reason && isSentence(error)), `${what}: ${answer.status} ${error}`)
  return code
}

/** Invalid requests for any route. */
function mistakes({
  method,
  path,
  body,
  query,
  upload,
  maxBytes: limit = 1024 * 1024,
}: (typeof routes)[number]): readonly Injection[] {
  const url = path.replace(/:\w+/, 'none')
  const takesJson = body !== undefined
  const typed = (text: string, type = 'application/json'): Injection => ({
    method,
    url,
    body: text,
    headers: { 'content-type': type },
  })
  return [
    { method, url },
    { method, url, headers: { origin: 'https://elsewhere.example' } },
    { method, url: `${url}/%` },
    ...(query === undefined
      ? []
      : [
          { method, url: `${url}?session=a&session=b` },
          { method, url: `${url}?session=a::b&siteId=${'x'.repeat(65)}&slug=/nowhere` },
        ]),
    ...(upload === undefined ? [] : [typed('x', 'text/plain')]),
    ...(takesJson
      ? [
          '{',
          '[]',
          '{}',
          '{"session":7,"slug":7}',
          '{"session":"a::b"}',
          '{"slug":"/nowhere","siteId":"none"}',
          'x'.repeat(limit + 1),
        ].map((text) => typed(text))
      : []),
    ...(takesJson ? [typed('x', 'text/plain')] : []),
  ]
}

t.test('in every refusal of a route, `error` is the sentence', async (t) => {
  const { ask } = await startStack(t)
  const codes = new Set<string>()
  // A valid event stream would not end.
  for (const route of routes.filter(({ path }) => path !== '/events')) {
    for (const request of mistakes(route)) {
      const answer = await ask(request)
      // The agent gate does not treat a page of another origin as local, and answers with a word.
      if (answer.status === 401 && route.gate.id === 'gate.agent')
        t.strictSame(answer.json(), { error: 'unauthorized' })
      else if (answer.status >= 400)
        codes.add(
          judge(t, answer, `${request.method} ${request.url} ${request.body?.toString().slice(0, 40)}`),
        )
    }
  }
  for (const code of [
    'bad_request',
    'invalid_json',
    'invalid_request',
    'not_found',
    'body_too_large',
    'unsupported_media_type',
    'origin_not_allowed',
    'nothing_to_undo',
    'stream_id_missing',
    'plan_not_found',
  ]) {
    t.ok(codes.has(code), code)
  }
})
