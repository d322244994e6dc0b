/** The settings of the whole site. */
import { computed, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { newest } from './newest.ts'
import { draftId } from './site.ts'

export type SiteConfig = Answer<'GET /draft/site-config'>
/** `undefined` until they are loaded. */
export const config = signal<SiteConfig | undefined>(undefined)

/** The former addresses of the site, with what they lead to; `undefined` if the site takes none. */
export const redirects = computed(() => {
  const listed = config.value?.['redirects']
  if (typeof listed !== 'object' || listed === null || Array.isArray(listed)) return undefined
  return Object.entries(listed).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
})

export const loadConfig = newest(
  () => call('GET /draft/site-config', { query: { ...draftId.value, redirects: '1' } }),
  (read) => void (config.value = read),
)
