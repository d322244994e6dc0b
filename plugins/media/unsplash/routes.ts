import * as v from 'valibot'
import { defineRoutes, gates } from '../../../kernel/index.ts'
import { Shortfall } from '../port.ts'
import { refusals } from './refusals.ts'
import { FoundPhotos, SearchQuery, Used } from './schemas.ts'

export const routes = defineRoutes({
  search: {
    method: 'GET',
    path: '/unsplash/search',
    gate: gates.access,
    sites: 'none',
    summary: 'Searches photos of Unsplash in landscape format.',
    query: SearchQuery,
    replies: { 200: FoundPhotos },
    refusals: [refusals.notConfigured],
  },
  use: {
    method: 'POST',
    path: '/unsplash/use',
    gate: gates.access,
    sites: 'none',
    summary: 'Reports to Unsplash that a photo was chosen, as its terms require.',
    body: Used,
    replies: { 200: v.object({ ok: v.boolean(), ...Shortfall.entries }) },
    refusals: [refusals.invalidId, refusals.notConfigured],
  },
})
