import * as v from 'valibot'
import { clock, countOption, ids, optional, type Setup } from '../../../kernel/index.ts'
import { keptSecret, ProxyVariables } from '../../auth/port.ts'
import { checks } from '../../checks/port.ts'
import { demoLock } from '../../demo/port.ts'
import { drafts } from '../../draft/port.ts'
import { media } from '../../media/port.ts'
import { outbound } from '../../outbound/port.ts'
import { scope } from '../../scope/port.ts'
import { sites } from '../../sites/port.ts'
import { store } from '../../store/port.ts'
import { usage } from '../../usage/port.ts'
import { ApplyVariables, toApplySettings } from '../apply-settings.ts'
import { createPromptHash } from '../digest.ts'
import { createReadPicture } from '../read-picture.ts'
import { createChains } from '../sessions/chains.ts'
import { createMemories } from '../sessions/memory.ts'
import { createPendingPlans } from '../sessions/pending-plans.ts'
import { runObservers } from '../types/events.ts'
import { type ImageWork, imageWork } from '../types/images.ts'
import { modelTerms, planners } from '../types/planner.ts'
import { type MessageReader, messageReader } from '../types/reader.ts'
import { variationMaker } from '../types/variations.ts'
import { createWholeDrafts } from '../whole-drafts.ts'

export const Options = v.object({
  maxOperations: countOption(200),
  /** Milliseconds that a message waits for the previous one. */
  longestWaitMs: countOption(30_000),
  longestImageMs: countOption(30_000),
  maxDraftBytes: countOption(64 * 1024 * 1024),
})

export const Variables = v.object({ ...ApplyVariables.entries, ...ProxyVariables.entries })

export const needs = {
  store, clock, ids, drafts, sites, scope, outbound, planners, reader: messageReader, observers: runObservers,
  imageWork: optional(imageWork), variationMaker: optional(variationMaker), terms: optional(modelTerms),
  demoLock: optional(demoLock), checks: optional(checks), usage: optional(usage), media: optional(media),
}

type ChatSetup = Setup<typeof needs, v.InferOutput<typeof Options>, v.InferOutput<typeof Variables>>

/** Creates the dependencies of the stages, except those loaded with the first message. */
export async function createParts({ needs, options, env, log }: ChatSetup) {
  const { drafts, sites, scope, clock, checks, usage, variationMaker, terms, media, demoLock, store } = needs
  const { maxOperations, longestWaitMs, maxDraftBytes } = options
  const warn = (variable: string): void => log.warn({ variable }, 'invalid value ignored, using the default')
  const playground = demoLock?.playground
  return {
    drafts, sites, scope, clock, checks, usage, log, maxOperations, longestWaitMs,
    /** Loads the variation maker; `undefined` if none is set up. */
    variationMaker,
    /** The edits that a public demo allows; `undefined` without a lock. */
    playground,
    /** In a public demo only the local planners, as its status says. */
    planners: needs.planners.flat().filter(({ isLocal }) => isLocal || !playground),
    prices: terms?.prices ?? [],
    defaultTier: terms?.tier ?? 'balanced',
    wholeDrafts: createWholeDrafts(drafts, maxDraftBytes),
    readPicture: createReadPicture({ ...needs, log }),
    chains: createChains(needs),
    stepping: toApplySettings(env, warn),
    promptHash: createPromptHash(await keptSecret(store, 'prompts')),
    memories: createMemories(needs),
    pendingPlans: createPendingPlans(needs),
    /** Whether this service itself serves an address. */
    owns: (address: string): boolean => media?.owns(address) === true,
  }
}

export type Parts = Awaited<ReturnType<typeof createParts>>

/** The dependencies of the stages. */
export interface Deps extends Parts {
  readonly words: MessageReader
  /** `undefined` without a source of images. */
  readonly images: ImageWork | undefined
}
