/** Types of calls of the client. Compiled, never run. */
import { createClient, type AnswerOf, type EventOf, type RequestTo, type RouteName, type ServiceRoutes, type StreamName } from '../../plugins/client/client.ts'
import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'
import { same } from './same.ts'

type To<N extends RouteName> = RequestTo<ServiceRoutes[N]>
type From<N extends RouteName> = AnswerOf<ServiceRoutes[N]>

const client = createClient({ url: 'http://localhost:4200' })

same<StreamName, 'GET /agent/stream' | 'GET /chat/stream' | 'GET /events' | 'POST /chat/variations/stream' | 'GET /sites-agent/stream' | 'POST /image/generate/chat'>(true)
same<From<'GET /generated-images/:fileName'>, Blob>(true)
same<From<'GET /metrics'>, string>(true)
same<From<'GET /draft/slugs'>['slugs'], string[]>(true)
same<To<'GET /draft/pages'>['query']['slug'], string>(true)
same<Pick<To<'GET /generated-images/:fileName'>, 'params'>, { readonly params: { readonly fileName: string } }>(true)
same<To<'POST /image/upload'>, { readonly form: FormData }>(true)
same<Extract<EventOf<ServiceRoutes['GET /events']>, { readonly type: 'hello' }>, { type: 'hello'; previewVersion: number }>(true)

const routes = defineRoutes({
  weather: { method: 'GET', path: '/in-house/weather/:town', gate: gates.public, summary: 'Reads the weather.', replies: { 200: v.object({ degrees: v.number() }) } },
})
const withOwn = createClient<typeof routes>({ url: 'http://localhost:4200' })

export async function ownCalls(): Promise<void> {
  same<number, Awaited<ReturnType<typeof weather>>['degrees']>(true)
  await withOwn.call('GET /health')
  // @ts-expect-error the route has a parameter
  await withOwn.call('GET /in-house/weather/:town')
  // @ts-expect-error no such route
  await withOwn.call('GET /weather')
}
const weather = () => withOwn.call('GET /in-house/weather/:town', { params: { town: 'Bern' } })

export async function calls(): Promise<void> {
  await client.call('GET /health')
  await client.call('GET /draft/pages', { query: { slug: '/' } })
  for await (const { data } of client.stream('GET /events', { query: { siteId: 'demo' } })) if (data.type === 'reset') same<typeof data.previewVersion, number>(true)
  // @ts-expect-error no such route
  await client.call('GET /weather')
  // @ts-expect-error a page is named by its slug
  await client.call('GET /draft/pages')
  // @ts-expect-error the body of a batch holds operations
  await client.call('POST /ops', { body: { siteId: 'demo' } })
  // @ts-expect-error the route is not a stream
  client.stream('GET /draft/pages', { query: { slug: '/' } })
}
