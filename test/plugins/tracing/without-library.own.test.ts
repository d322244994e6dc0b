import { registerHooks } from 'node:module'
import t from 'tap'
import { everyWayIn } from '../../../kernel/testing.ts'
import { startSite } from '../../helpers/upstream.ts'
import { traceparent, tracedPlugins } from './asking.ts'

// Another package registered an SDK, but the library is not installed.
Object.assign(globalThis, { [Symbol.for('opentelemetry.js.api.1')]: { version: '1.9.0' } })
registerHooks({
  resolve: (name, context, next) => next(name === '@opentelemetry/api' ? 'not-installed' : name, context),
})

t.test(
  'without OpenTelemetry the trace of a caller is forwarded unchanged, to listed origins only',
  async (t) => {
    const own = await startSite(t, (_, response) => response.end('ok'))
    const other = await startSite(t, (_, response) => response.end('ok'))
    const leaving = await startSite(t, (_, response) =>
      response.writeHead(302, { location: other.origin }).end(),
    )
    const env = { FETCH_ALLOWED_ORIGINS: `${own.origin},${leaving.origin}` }
    await everyWayIn(
      t,
      () => ({ plugins: tracedPlugins, env }),
      async (t, ask) => {
        const given = async (headers: Readonly<Record<string, string>>, ...urls: readonly string[]) => {
          const before = [own.seen.length, other.seen.length]
          t.equal((await ask({ method: 'POST', url: '/ask/x', headers, json: { urls } })).status, 200)
          const traces = (site: typeof own) => site.seen.map((one) => one.headers['traceparent'])
          return [own, other].map((site, at) => traces(site).slice(before[at]))
        }
        t.same(await given({ traceparent }, own.origin, other.origin), [[traceparent], [undefined]])
        const redirected = await given({ traceparent }, leaving.origin, other.origin)
        t.same(redirected, [[], [undefined, undefined]], 'nor by a redirect')
        t.same(await given({}, own.origin), [[undefined], []])
        const broken = [
          '00-00000000000000000000000000000000-b7ad6b7169203331-01',
          `${traceparent}-more`,
          'canary',
          traceparent.toUpperCase(),
          `01${traceparent.slice(2)}`,
        ]
        for (const wrong of broken)
          t.same(await given({ traceparent: wrong }, own.origin), [[undefined], []], wrong)
      },
    )
  },
)
