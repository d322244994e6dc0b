import type { ModelCall, SeeingClient, TokenUsage } from '../llm/port.ts'
import { toPart, type Gemini } from './client.ts'

/** Makes the client that describes pictures by a model of Gemini. */
export function createGeminiSeeing(gemini: Gemini, { model, timeoutMs }: { readonly model: string; readonly timeoutMs: number }): SeeingClient {
  return {
    provider: 'gemini',
    seeingModel: model,
    async *stream(call, signal) {
      let took: TokenUsage | undefined
      for (const piece of await gemini.generate({ model: call.model, json: toRequest(call), timeoutMs, signal, spent: (usage) => (took = usage) })) {
        if (piece.type === 'text') yield piece
      }
      if (took) yield { type: 'usage', usage: took }
    },
  }
}

const textsOf = (texts: ModelCall['system']) => texts.map(({ text }) => ({ text }))

const toRequest = ({ system, messages }: ModelCall) => ({
  systemInstruction: { parts: textsOf(system) },
  contents: messages.map(({ role, pictures = [], texts }) => ({ role: role === 'user' ? 'user' : 'model', parts: [...pictures.map(toPart), ...textsOf(texts)] })),
})
