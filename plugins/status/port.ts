import { slot } from '../../kernel/index.ts'

/** A fact as it is, or as it is found out when the status is asked for. */
export type Stated<T> = T | (() => T | Promise<T>)

/** What a client may offer to its user. */
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

/** Providers that a loaded planner serves and has a key for, by any name, the one that is asked first in front. */
export const plannerProviders = slot<Stated<readonly string[]>>('status.providers')

/** Features that a plugin knows about. One that no plugin states is off, one that any plugin states as on is on. */
export const features = slot<Stated<Features>>('status.features')

/** Names of the tools that a planner may use. */
export const enabledTools = slot<Stated<readonly string[]>>('status.tools')
