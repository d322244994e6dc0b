import { definePlugin, limitConcurrency } from '../../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../../auth/port.ts'
import { modelClients, seeingClients, type SeeingClient } from '../../models/port.ts'
import { media } from '../port.ts'
import { features } from '../../health/status/port.ts'
import { usage } from '../../models/usage/port.ts'
import { interpret } from './interpret.ts'
import { refusals } from './refusals.ts'
import { purposes, routes } from './routes.ts'

/** Providers in order of preference. */
const preferred = ['openai', 'anthropic', 'gemini']
/** Limited, because images are held in memory until the model has answered. */
const maxConcurrent = 8

/** Descriptions of images by models. */
export default definePlugin({
  name: 'media-interpretation',
  tag: 'Media',
  env: ProxyVariables,
  needs: { media, usage, models: modelClients, seeing: seeingClients },
  gives: { features },
  routes,
}).setup(({ needs: { media, usage, models, seeing }, env, log, signal: closing }) => {
  const clients = [...models, ...seeing].filter(
    (each): each is SeeingClient => each?.seeingModel !== undefined,
  )
  const rankOf = ({ provider }: { readonly provider: string }): number =>
    [...preferred, provider].indexOf(provider)
  const [client] = clients.toSorted((a, b) => rankOf(a) - rankOf(b))
  const limited = limitConcurrency(maxConcurrent)
  return {
    gives: { features: { interpret: client !== undefined } },
    handlers: {
      async interpret(call) {
        if (!client) throw refusals.notConfigured()
        await usage.countGeneration(shareHolder(call, env.TRUST_PROXY))
        return limited(async () => {
          const { picture, fields } = await media.receive(call.body)
          const purpose = purposes.find((each) => each === fields['purpose']) ?? 'edit-context'
          const text = await interpret(client, picture, purpose, {
            usage,
            signal: AbortSignal.any([call.signal, closing]),
            log,
          })
          return {
            status: 200,
            body: { text, model: client.seeingModel, bytes: picture.bytes.length, mimeType: picture.type },
          }
        })
      },
    },
  }
})
