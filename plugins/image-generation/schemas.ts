import * as v from 'valibot'
import { ratios } from './port.ts'
import { refusals } from './refusals.ts'

const longestPrompt = 4_000
const address = v.pipe(v.string(), v.maxLength(2_048))
const upTo = (most: number) => v.optional(v.pipe(v.string(), v.maxLength(most)))

/** What a picture should show. `checkPrompt` judges it, so that each fault has a code of its own. */
const Prompt = v.pipe(v.optional(v.string(), ''), v.trim(), v.description(`What the image should show: 1 to ${longestPrompt} characters.`))

/** Refuses an empty or a long prompt with 400 `prompt_required` or `prompt_too_long`. */
export function checkPrompt(prompt: string): void {
  if (prompt === '') throw refusals.promptRequired()
  if (prompt.length > longestPrompt) throw refusals.promptTooLong(longestPrompt)
}

export const GenerateRequest = v.pipe(
  v.object({
    prompt: Prompt,
    aspectRatio: v.pipe(upTo(20), v.description('`landscape`, `square` or `portrait`; anything else is `landscape`.')),
    provider: v.pipe(upTo(40), v.description('`openai`, `gemini` or `placeholder`; the one that is set up without it.')),
    model: v.optional(v.pipe(v.string(), v.regex(/^[\w.:/-]{1,80}$/, 'must be the name of a model'))),
  }),
  v.examples([{ prompt: 'A red kayak on a calm lake', provider: 'placeholder' }]),
)
export type GenerateRequest = v.InferOutput<typeof GenerateRequest>

export const GeneratedImage = v.object({
  /** Where browsers get it. */
  url: v.string(),
  /** The beginning of the prompt: a draft for people to improve. */
  alt: v.string(),
  provider: v.string(),
  model: v.string(),
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  /** Another provider was asked for, which is not set up. */
  fallback: v.optional(v.boolean()),
})
export type GeneratedImage = v.InferInput<typeof GeneratedImage>

export const ImageChatRequest = v.pipe(
  v.object({
    prompt: Prompt,
    chatId: v.pipe(upTo(100), v.description('The conversation to go on with; one that is over begins anew.')),
    aspectRatio: v.pipe(upTo(20), v.description('`landscape`, `square`, `portrait`, or such as `16:9`. One that the prompt names comes first.')),
    stream: v.optional(v.boolean(), false),
    referenceImageUrl: v.optional(address),
    referenceImageUrls: v.pipe(v.optional(v.array(address), []), v.maxLength(100), v.description('Pictures that the conversation is about, 14 of them at most; read with its first message.')),
  }),
  v.examples([{ prompt: 'A red kayak on a calm lake', stream: false, referenceImageUrls: [] }]),
)
export type ImageChatRequest = v.InferOutput<typeof ImageChatRequest>

export const ImageChatAnswer = v.object({
  chatId: v.string(),
  /** Of the last picture; null where the answer has none. */
  url: v.nullable(v.string()),
  alt: v.string(),
  text: v.optional(v.string()),
  aspectRatio: v.picklist(ratios),
  /** How many pictures could not be read. */
  skippedReferences: v.number(),
})
export type ImageChatAnswer = v.InferInput<typeof ImageChatAnswer>

/** What a stream tells; its `event:` line says which. */
export const ImageChatEvent = v.union([
  v.object({ chatId: v.string(), aspectRatio: v.picklist(ratios) }),
  v.object({ stage: v.string() }),
  v.object({ url: v.string(), alt: v.string() }),
  v.object({ text: v.string() }),
  v.object({ error: v.string(), reason: v.optional(v.string()) }),
  v.object({}),
])
export type ImageChatEvent = v.InferInput<typeof ImageChatEvent>

const list = v.pipe(v.string(), v.transform((text) => text.split(',').map((name) => name.trim()).filter(Boolean)))

export const ImageVariables = v.object({
  IMAGE_GEN_PROVIDER: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.toLowerCase()), 'openai'),
    v.description('The provider that makes images where a request names none: `openai`, `gemini`, or `placeholder`, which needs no key and no network. One without a key gives way to one that has it.'),
  ),
  IMAGE_MODELS_ALLOWED: v.pipe(
    v.optional(list, ''),
    v.description('The models that requests for images may name, with commas between them; empty, any.'),
  ),
})
