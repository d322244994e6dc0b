import { computed, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { narrowPolicy } from './policy.ts'

export type Site = Answer<'GET /sites'>['sites'][number]
export type BlockType = { readonly type: string } & Readonly<Record<string, unknown>>

const query = new URLSearchParams(location.search)
/** `undefined` until they are loaded. */
export const sites = signal<readonly Site[] | undefined>(undefined)
const chosen = signal(query.get('siteId') ?? undefined)
/** The name of the draft that is edited. */
export const session = query.get('session') ?? 'dev'

export const site = computed(() => sites.value?.find(({ id }) => id === chosen.value) ?? sites.value?.[0])
/** The parameters that name the draft in every request. */
const siteId = computed(() => site.value?.id ?? '')
export const draftId = computed(() => ({ session, siteId: siteId.value }))

export async function loadSites(): Promise<void> {
  const listed = (await call('GET /sites', { query: { session } })).sites
  narrowPolicy(listed.map(({ previewUrl }) => previewUrl))
  // The website of a mount is at the origin of this page, wherever that is.
  sites.value = listed.map((each) => ({
    ...each,
    ...(each.mounted && each.previewUrl === undefined && { previewUrl: location.origin }),
  }))
}
