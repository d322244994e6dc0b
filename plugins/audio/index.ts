import * as v from 'valibot'
import { clock, countOption, definePlugin } from '../../kernel/index.ts'
import { createWindows, shareHolder } from '../auth/port.ts'
import { features } from '../status/port.ts'
import { createChain } from './chain.ts'
import { transcribers } from './port.ts'
import { readRecording } from './recording.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { AudioVariables } from './schemas.ts'

const minute = 60_000

/** Writes down recordings, by what gives to the slot of transcribers. A recording is in memory only. */
export default definePlugin({
  name: 'audio',
  tag: 'Media',
  options: v.object({
    /** For each model. */
    timeoutMs: countOption(60_000),
    /** Bytes of recordings that are written down at the same time. */
    mostBytes: countOption(100 * 1024 * 1024),
  }),
  env: AudioVariables,
  needs: { clock, transcribers },
  gives: { features },
  routes,
}).setup(({ needs, options, env, log }) => {
  const ready = needs.transcribers.filter((each) => each !== undefined)
  const transcribe = createChain({ transcribers: ready, log, ...options })
  const perMinute = env.MEDIA_GENERATIONS_PER_MIN
  const windows = createWindows({ limit: perMinute === 0 ? Infinity : perMinute, length: minute })
  return {
    gives: { features: { transcribe: ready.length > 0 } },
    handlers: {
      async transcribe(call) {
        if (ready.length === 0) throw refusals.notConfigured()
        // Callers of whom nothing is known have one share together.
        const wait = windows.count(shareHolder(call, env.TRUST_PROXY) ?? 'unknown', needs.clock.now().getTime())
        if (wait > 0) throw refusals.rateLimited(Math.ceil(wait / 1000), perMinute)
        return { status: 200, body: await transcribe(await readRecording(call.body), call.signal) }
      },
    },
  }
})
