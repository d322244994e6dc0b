import type {
  ModelCall,
  SeeingClient,
  TokenUsage,
  Aspect,
  ImageGenerator,
  ImageTier,
  Ratio,
} from '../port.ts'
import { toPart, type Gemini } from './client.ts'

const ratioOf: Readonly<Record<Aspect, Ratio>> = { landscape: '3:2', square: '1:1', portrait: '2:3' }
const sizes: Readonly<Record<ImageTier, string>> = { draft: '1K', final: '2K' }
/** Models before the third generation reject the parameter. */
const hasSizes = (model: string): boolean => !/^gemini-[12]\b/.test(model)

/** Creates the image generator for a Gemini model. */
export function createGeminiImages(gemini: Gemini, model: string): ImageGenerator {
  const settingsFor = (requested: string, tier: ImageTier, aspectRatio: Ratio) => ({
    responseModalities: ['TEXT', 'IMAGE'],
    imageConfig: { aspectRatio, ...(hasSizes(requested) && { imageSize: sizes[tier] }) },
  })
  return {
    provider: 'gemini',
    modelOf: () => model,
    async make({ prompt, aspect, tier, ...call }) {
      const json = {
        contents: [{ role: 'user', parts: [{ text: prompt }] }],
        generationConfig: settingsFor(call.model, tier, ratioOf[aspect]),
      }
      const pieces = await gemini.generate({ ...call, json })
      return pieces.find((piece) => piece.type === 'image')?.bytes
    },
    converse({ prompt, ratio, tier, turns, pictures, ...call }) {
      const before = turns.map(({ role, parts }) => ({
        role: role === 'person' ? 'user' : 'model',
        parts: parts.map(({ signature: thoughtSignature, ...part }) => ({
          ...(part.type === 'text' ? { text: part.text } : toPart(part.picture)),
          thoughtSignature,
        })),
      }))
      const json = {
        contents: [...before, { role: 'user', parts: [...pictures.map(toPart), { text: prompt }] }],
        generationConfig: settingsFor(call.model, tier, ratio),
      }
      return gemini.stream({ ...call, json })
    },
  }
}

/** Creates the client that describes images with a Gemini model. */
export function createGeminiSeeing(
  gemini: Gemini,
  { model, timeoutMs }: { readonly model: string; readonly timeoutMs: number },
): SeeingClient {
  return {
    provider: 'gemini',
    seeingModel: model,
    async *stream(call, signal) {
      let usage: TokenUsage | undefined
      for (const piece of await gemini.generate({
        model: call.model,
        json: toRequest(call),
        timeoutMs,
        signal,
        spent: (spent) => (usage = spent),
      })) {
        if (piece.type === 'text') yield piece
      }
      if (usage) yield { type: 'usage', usage }
    },
  }
}

const textsOf = (texts: ModelCall['system']) => texts.map(({ text }) => ({ text }))

const toRequest = ({ system, messages }: ModelCall) => ({
  systemInstruction: { parts: textsOf(system) },
  contents: messages.map(({ role, pictures = [], texts }) => ({
    role: role === 'user' ? 'user' : 'model',
    parts: [...pictures.map(toPart), ...textsOf(texts)],
  })),
})
