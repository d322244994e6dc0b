import { slot } from '../../kernel/index.ts'
import type { ModelClient } from './model.ts'

export { libraryOptions, within, type Connection } from './connection.ts'
export { failuresOf, ModelFailure, retryAfterOf, type Failures, type ModelFailureKind } from './failure.ts'
export { stableJson } from '../../kernel/index.ts'
export { encoded, fenced, type DataSource } from './fence.ts'
export * from './images.ts'
export * from './model.ts'
export { defaultModels, longestPrefix, models, type Traits } from './models.ts'
export { failureIn, postJson, type ErrorMeanings } from './post-json.ts'
export {
  costOf,
  countedCostOf,
  defaultPrices,
  priceOf,
  Prices,
  type ModelSpending,
  type Price,
} from './prices.ts'
export { AddressVariable, KeyVariable } from './variables.ts'
export * from './transcriber.ts'

/** A provider whose models can be called with the key of another plugin. */
export interface KeyedProvider {
  readonly provider: string
  /** Creates a client for a key; it sends no request before its first stream. */
  open(apiKey: string): LoopClient
}

/** The part of a client that an agent loop needs. */
export type LoopClient = Pick<ModelClient, 'provider' | 'stream'>

/** The providers whose models can be called with the keys of other plugins. */
export const keyedProviders = slot<KeyedProvider>('llm.keyedProviders')

/** The model clients of this service, one per provider; `undefined` if not configured. */
export const modelClients = slot<ModelClient | undefined>('llm.clients')

/** A model that describes images but does not plan. */
export type SeeingClient = Pick<ModelClient, 'provider' | 'stream'> & { readonly seeingModel: string }

/** Models that describe images, besides `modelClients`; `undefined` if not configured. */
export const seeingClients = slot<SeeingClient | undefined>('llm.seeingClients')
