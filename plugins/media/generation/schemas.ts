import * as v from 'valibot'
import { listVariable } from '../../../kernel/index.ts'
import { ratios } from '../../models/port.ts'
import { refusals } from './refusals.ts'

const maxPromptCharacters = 4_000
const address = v.pipe(v.string(), v.maxLength(2_048))
const upTo = (most: number) => v.optional(v.pipe(v.string(), v.maxLength(most)))

/** Validated by `checkPrompt`, which has a code for each problem. */
const Prompt = v.pipe(
  v.optional(v.string(), ''),
  v.trim(),
  v.description(`What the image should show: 1 to ${maxPromptCharacters} characters.`),
)

/** Refuses an empty or too long prompt with 400 `prompt_required` or `prompt_too_long`. */
export function checkPrompt(prompt: string): void {
  if (prompt === '') throw refusals.promptRequired()
  if (prompt.length > maxPromptCharacters) throw refusals.promptTooLong(maxPromptCharacters)
}

export const GenerateRequest = v.pipe(
  v.object({
    prompt: Prompt,
    aspectRatio: v.pipe(
      upTo(20),
      v.description('`landscape`, `square` or `portrait`; other values mean `landscape`.'),
    ),
    provider: v.pipe(
      upTo(40),
      v.description('`openai`, `gemini` or `placeholder`; by default the configured one.'),
    ),
    model: v.optional(v.pipe(v.string(), v.regex(/^[\w.:/-]{1,80}$/, 'must be the name of a model'))),
  }),
  v.examples([{ prompt: 'A red kayak on a calm lake', provider: 'placeholder' }]),
)
export type GenerateRequest = v.InferOutput<typeof GenerateRequest>

export const GeneratedImage = v.object({
  url: v.string(),
  /** The start of the prompt, to be improved by users. */
  alt: v.string(),
  provider: v.string(),
  model: v.string(),
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  /** True if the requested provider is not configured. */
  fallback: v.optional(v.boolean()),
})
export type GeneratedImage = v.InferInput<typeof GeneratedImage>

export const ImageChatRequest = v.pipe(
  v.object({
    prompt: Prompt,
    chatId: v.pipe(upTo(100), v.description('The conversation to continue; an expired one starts again.')),
    aspectRatio: v.pipe(
      upTo(20),
      v.description(
        '`landscape`, `square`, `portrait`, or numbers such as `16:9`. A ratio in the prompt takes precedence.',
      ),
    ),
    stream: v.optional(v.boolean(), false),
    referenceImageUrl: v.optional(address),
    referenceImageUrls: v.pipe(
      v.optional(v.array(address), []),
      v.maxLength(100),
      v.description('Up to 14 images that the conversation refers to, read with its first message.'),
    ),
  }),
  v.examples([{ prompt: 'A red kayak on a calm lake', stream: false, referenceImageUrls: [] }]),
)
export type ImageChatRequest = v.InferOutput<typeof ImageChatRequest>

export const ImageChatAnswer = v.object({
  chatId: v.string(),
  /** The address of the last image; null if there is none. */
  url: v.nullable(v.string()),
  alt: v.string(),
  text: v.optional(v.string()),
  aspectRatio: v.picklist(ratios),
  /** The number of reference images that could not be read. */
  skippedReferences: v.number(),
})
export type ImageChatAnswer = v.InferInput<typeof ImageChatAnswer>

/** The data of an event; its `event:` line names the type. */
export const ImageChatEvent = v.union([
  v.object({ chatId: v.string(), aspectRatio: v.picklist(ratios) }),
  v.object({ stage: v.string() }),
  v.object({ url: v.string(), alt: v.string() }),
  v.object({ text: v.string() }),
  v.object({ error: v.string(), reason: v.optional(v.string()) }),
  v.object({}),
])
export type ImageChatEvent = v.InferInput<typeof ImageChatEvent>

export const ImageVariables = v.object({
  IMAGE_GEN_PROVIDER: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.toLowerCase()), 'openai'),
    v.description(
      'The default image provider: `openai`, `gemini`, or `placeholder`, which needs no key and no network. A provider without a key is replaced by one with a key.',
    ),
  ),
  IMAGE_MODELS_ALLOWED: v.pipe(
    v.optional(listVariable, ''),
    v.description('The image models that requests may name, separated by commas; all if empty.'),
  ),
})
