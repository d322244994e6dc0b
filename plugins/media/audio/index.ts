import * as v from 'valibot'
import { countOption, definePlugin } from '../../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../../auth/port.ts'
import { features } from '../../health/status/port.ts'
import { usage } from '../../models/usage/port.ts'
import { createChain } from './chain.ts'
import { transcribers } from '../../models/port.ts'
import { readRecording } from './recording.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'

/** Transcribes recordings with the transcribers of other plugins. Recordings stay in memory. */
export default definePlugin({
  name: 'media-audio',
  tag: 'Media',
  options: v.object({
    /** The time limit per model. */
    timeoutMs: countOption(60_000),
    /** The maximum total size of the recordings in progress, in bytes. */
    mostBytes: countOption(100 * 1024 * 1024),
  }),
  env: ProxyVariables,
  needs: { transcribers, usage },
  gives: { features },
  routes,
}).setup(({ needs, options, env, log }) => {
  const ready = needs.transcribers.filter((each) => each !== undefined)
  const transcribe = createChain({
    transcribers: ready,
    timeoutMs: options.timeoutMs,
    maxBytes: options.mostBytes,
    log,
  })
  return {
    gives: { features: { transcribe: ready.length > 0 } },
    handlers: {
      async transcribe(call) {
        if (ready.length === 0) throw refusals.notConfigured()
        await needs.usage.countGeneration(shareHolder(call, env.TRUST_PROXY))
        return { status: 200, body: await transcribe(await readRecording(call.body), call.signal) }
      },
    },
  }
})
