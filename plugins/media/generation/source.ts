import * as v from 'valibot'
import { withInterval } from '../../../kernel/index.ts'
import { type ModelSpending, aspects } from '../../models/port.ts'
import type { ImageSource } from '../port.ts'
import { defineTool, type Tool, type ToolContext } from '../../tools/port.ts'
import type { UsageLog } from '../../models/usage/port.ts'
import { toAlt, type Durations, type Generate } from './generate.ts'

const progressEveryMs = 1_000
/** The maximum percentage shown until the image is finished. */
const maxPercent = 95

interface GeneratingOptions {
  readonly generate: Generate
  readonly usage: Pick<UsageLog, 'addCall' | 'countGeneration'>
  readonly durations: Durations
}

/** Creates the source of generated images for chat, within the rate limit of `POST /image/generate`. */
export function createGeneratingSource({
  generate,
  usage,
  durations,
  available,
  longestMs,
}: GeneratingOptions & { readonly available: boolean; readonly longestMs: number }): ImageSource {
  return {
    kind: 'generated',
    available,
    longestMs,
    async find({ query, signal, holder, spent, progress }) {
      await usage.countGeneration(holder)
      const startedAt = performance.now()
      const report = (): void =>
        progress(Math.min(maxPercent, (100 * (performance.now() - startedAt)) / durations.expected))
      const prompt = `A picture for a website, without any text or logo in it. It shows: ${query}`
      const { url } = await withInterval(progressEveryMs, report, () =>
        generate({ prompt, aspect: 'landscape', tier: 'final', signal, spent }),
      )
      return { address: url, alt: query }
    },
  }
}

const toolProgressMs = 500
/** Progress messages by percentage of the expected time. */
const stages = [
  [0, 'Preparing the image'],
  [15, 'Sketching the image'],
  [40, 'Drawing the image'],
  [75, 'Finishing the image'],
  [95, 'Almost done'],
] as const

const word = (longest: number) => v.optional(v.pipe(v.string(), v.trim(), v.maxLength(longest)))

/** Creates the agent tool that generates an image. */
export function createImageTool({ generate, usage, durations }: GeneratingOptions): Tool {
  return defineTool(
    {
      name: 'image.generate',
      description:
        'Generates and stores a new image for an image field of a block. It takes half a minute and costs money: call it only if the user wants a new image.',
      // Accepts but ignores outputFormat, blockId and pageSlug: none of them changes the image.
      input: v.object({
        prompt: v.pipe(
          v.string(),
          v.trim(),
          v.nonEmpty(),
          v.maxLength(2_000),
          v.description('What the image shows.'),
        ),
        aspectRatio: v.optional(v.picklist(aspects), 'landscape'),
        quality: v.optional(v.picklist(['draft', 'final']), 'final'),
        style: v.pipe(word(200), v.description('Such as a photo or a drawing.')),
        background: v.optional(v.picklist(['transparent', 'opaque', 'auto']), 'auto'),
        blockType: word(80),
      }),
      output: v.object({
        imageUrl: v.string(),
        alt: v.string(),
        width: v.optional(v.number()),
        height: v.optional(v.number()),
      }),
      timeoutMs: 90_000,
      retryPolicy: { maxAttempts: 1 },
      idempotent: false,
    },
    async ({ prompt, aspectRatio, quality, style, background, blockType }, context) => {
      const { signal, imageProgress, userId } = context
      await usage.countGeneration(userId)
      const calls: ModelSpending[] = []
      const startedAt = performance.now()
      const progress = (): void => {
        const share = (100 * (performance.now() - startedAt)) / durations.expected
        const [percent, stage] = stages.findLast(([from]) => share >= from) ?? stages[0]
        imageProgress?.(percent, stage)
      }
      progress()
      try {
        const fullPrompt = promptOf({ prompt, style, background, blockType, aspectRatio }, context)
        const { url, width, height } = await withInterval(toolProgressMs, progress, () =>
          generate({
            prompt: fullPrompt,
            aspect: aspectRatio,
            tier: quality,
            signal,
            spent: (call) => calls.push(call),
          }),
        )
        imageProgress?.(100, 'The image is finished')
        return { imageUrl: url, alt: toAlt(prompt), width, height }
      } finally {
        await Promise.all(calls.map(usage.addCall))
      }
    },
  )
}

interface ToolInput {
  readonly prompt: string
  readonly style: string | undefined
  readonly background: string
  readonly blockType: string | undefined
  readonly aspectRatio: string
}

function promptOf(
  { prompt, style, background, blockType, aspectRatio }: ToolInput,
  { blockContext }: ToolContext,
): string {
  const surroundings =
    blockContext &&
    [blockContext.pageTitle, ...blockContext.headings].filter(Boolean).join(' · ').slice(0, 300)
  return [
    'A picture for a website, without any text, logo or watermark in it.',
    `It shows: ${prompt}`,
    ...(style ? [`Style: ${style}.`] : []),
    ...(background === 'transparent' ? ['The background is transparent or plain.'] : []),
    ...(surroundings
      ? [`It stands beside these words: ${surroundings}. Leave calm space where they may lie.`]
      : []),
    ...(blockType ? [`It is for a block of the type ${blockType}, ${aspectRatio}.`] : []),
  ].join(' ')
}
