import { slot } from '../../kernel/index.ts'
import type { ModelClient } from './model.ts'

export { libraryOptions, within, type Connection } from './connection.ts'
export { failuresOf, ModelFailure, type Failures, type ModelFailureKind } from './failure.ts'
export { encoded, fenced, stableJson, type DataSource } from './fence.ts'
export * from './model.ts'
export { failureIn, postJson, type ErrorMeanings } from './post-json.ts'
export { costOf, defaultPrices, priceOf, Prices, type ModelSpending, type Price } from './prices.ts'
export { AddressVariable, KeyVariable } from './settings.ts'
export { isHoldable } from './to-request.ts'

/** A provider whose models can be called with a key that another plugin has. */
export interface KeyedProvider {
  readonly provider: string
  /** A client for one key; it calls nothing before its first stream. */
  open(apiKey: string): LoopClient
}

/** What a run of several turns needs of a client. */
export type LoopClient = Pick<ModelClient, 'provider' | 'stream'>

/** The providers whose models can be called with other keys than their own. */
export const keyedProviders = slot<KeyedProvider>('llm.keyedProviders')

/** The models of this service, one client for each provider; `undefined` stands for one that is not set up. */
export const modelClients = slot<ModelClient | undefined>('llm.clients')

/** A model that looks at pictures, and plans nothing. */
export type SeeingClient = Pick<ModelClient, 'provider' | 'seeingModel' | 'stream'>

/** Models that describe pictures where no client of the slot above does; `undefined` stands for one that is not set up. */
export const seeingClients = slot<SeeingClient | undefined>('llm.seeingClients')
