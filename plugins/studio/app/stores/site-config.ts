/** The settings of the whole site. */
import { signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { newest } from './newest.ts'
import { draftId } from './site.ts'

export type SiteConfig = Answer<'GET /draft/site-config'>
/** `undefined` until they are loaded. */
export const config = signal<SiteConfig | undefined>(undefined)

export const loadConfig = newest(
  () => call('GET /draft/site-config', { query: draftId.value }),
  (read) => void (config.value = read),
)
