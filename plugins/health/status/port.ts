import { slot } from '../../../kernel/index.ts'

/** A value, or a function that computes it for each status. */
export type Stated<T> = T | (() => T | Promise<T>)

/** Features that a client may offer to its user. */
export const featureNames = [
  'googleDrive',
  'unsplash',
  'imageGenerate',
  'imageGenerateChat',
  'contentful',
  'agentMode',
  'cmsMedia',
  'sitesAgent',
  'transcribe',
  'interpret',
  'attachments',
  'checks',
] as const
export type Feature = (typeof featureNames)[number]
export type Features = Readonly<Partial<Record<Feature, boolean>>>

/** The names of providers with a loaded planner and a key, the default first. */
export const plannerProviders = slot<Stated<readonly string[]>>('status.providers')

/** Features that a plugin knows about. A feature is on if any plugin reports it as on. */
export const features = slot<Stated<Features>>('status.features')

/** The names of the tools that a planner may use. */
export const enabledTools = slot<Stated<readonly string[]>>('status.tools')
