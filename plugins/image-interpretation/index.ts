import { definePlugin } from '../../kernel/index.ts'
import { createLimiter, ProxyVariables, shareHolder } from '../auth/port.ts'
import { modelClients, seeingClients } from '../llm/port.ts'
import { media } from '../media/port.ts'
import { features } from '../status/port.ts'
import { usage } from '../usage/port.ts'
import { interpret } from './interpret.ts'
import { refusals } from './refusals.ts'
import { purposes, routes } from './routes.ts'

/** Providers in the order in which they are asked. */
const preferred = ['openai', 'anthropic', 'gemini']
/** Pictures are held in memory until their model has answered. */
const mostAtOnce = 8

/** Models that say what an image shows. */
export default definePlugin({
  name: 'image-interpretation',
  tag: 'Media',
  env: ProxyVariables,
  needs: { media, usage, models: modelClients, seeing: seeingClients },
  gives: { features },
  routes,
}).setup(({ needs: { media, usage, models, seeing }, env, log, signal: closing }) => {
  const clients = [...models, ...seeing].filter((each) => each !== undefined)
  const placeOf = ({ provider }: { readonly provider: string }): number => [...preferred, provider].indexOf(provider)
  const [client] = clients.toSorted((a, b) => placeOf(a) - placeOf(b))
  const limited = createLimiter(mostAtOnce)
  return {
    gives: { features: { interpret: client !== undefined } },
    handlers: {
      async interpret(call) {
        if (!client) throw refusals.notConfigured()
        usage.countGeneration(shareHolder(call, env.TRUST_PROXY))
        return limited(async () => {
          const { picture, fields } = await media.receive(call.body)
          const purpose = purposes.find((each) => each === fields['purpose']) ?? 'edit-context'
          const text = await interpret(client, picture, purpose, { usage, signal: AbortSignal.any([call.signal, closing]), log })
          return { status: 200, body: { text, model: client.seeingModel, bytes: picture.bytes.length, mimeType: picture.type } }
        })
      },
    },
  }
})
