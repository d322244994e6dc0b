import type { Aspect, ImageGenerator, ImageTier, Ratio } from '../image-generation/port.ts'
import type { ModelCall, SeeingClient, TokenUsage } from '../llm/port.ts'
import { toPart, type Gemini } from './client.ts'

const ratioOf: Readonly<Record<Aspect, Ratio>> = { landscape: '3:2', square: '1:1', portrait: '2:3' }
const sizes: Readonly<Record<ImageTier, string>> = { draft: '1K', final: '2K' }
/** Models before the third generation have one size, and refuse the word. */
const hasSizes = (model: string): boolean => !/^gemini-[12]\b/.test(model)

/** Makes the generator of pictures by a model of Gemini. */
export function createGeminiImages(gemini: Gemini, model: string): ImageGenerator {
  const settingsFor = (asked: string, tier: ImageTier, aspectRatio: Ratio) => ({
    responseModalities: ['TEXT', 'IMAGE'],
    imageConfig: { aspectRatio, ...(hasSizes(asked) && { imageSize: sizes[tier] }) },
  })
  return {
    provider: 'gemini',
    modelOf: () => model,
    async make({ prompt, aspect, tier, ...call }) {
      const json = { contents: [{ role: 'user', parts: [{ text: prompt }] }], generationConfig: settingsFor(call.model, tier, ratioOf[aspect]) }
      const pieces = await gemini.generate({ ...call, json })
      return pieces.find((piece) => piece.type === 'image')?.bytes
    },
    converse({ prompt, ratio, tier, turns, pictures, ...call }) {
      const before = turns.map(({ role, parts }) => ({
        role: role === 'person' ? 'user' : 'model',
        parts: parts.map(({ signature: thoughtSignature, ...part }) => ({ ...(part.type === 'text' ? { text: part.text } : toPart(part.picture)), thoughtSignature })),
      }))
      const json = {
        contents: [...before, { role: 'user', parts: [...pictures.map(toPart), { text: prompt }] }],
        generationConfig: settingsFor(call.model, tier, ratio),
      }
      return gemini.stream({ ...call, json })
    },
  }
}

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
