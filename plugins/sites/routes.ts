import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'
import { ManifestDocument } from '../content/manifest.ts'
import { noWebsite, registrationTooLarge, tooManySessions, tooManySites } from './refusals.ts'
import {
  BlocksQuery,
  FramingAnswer,
  FramingQuery,
  ListQuery,
  Registered,
  Registration,
  Removal,
  RemovalQuery,
  SiteListed,
} from './schemas.ts'

export const routes = defineRoutes({
  register: {
    method: 'POST',
    path: '/sites/register',
    gate: gates.access,
    can: 'admin',
    summary: 'Registers a site, or updates its registration; fields that are not sent stay as they are.',
    body: Registration,
    maxBytes: 64 * 1024,
    replies: { 200: Registered },
    refusals: [registrationTooLarge, tooManySites, tooManySessions],
  },
  list: {
    method: 'GET',
    path: '/sites',
    gate: gates.access,
    sites: 'own',
    summary:
      'Lists the sites that are registered or have a site config, each as it is in a session or else in any other. A mount lists its own site first, registered or not.',
    query: ListQuery,
    replies: { 200: v.object({ sites: v.array(SiteListed) }) },
  },
  blocks: {
    method: 'GET',
    path: '/sites/blocks',
    gate: gates.access,
    summary:
      'Returns the block types of a site, as its website declares them; the built-in ones if it does not.',
    query: BlocksQuery,
    replies: { 200: ManifestDocument },
  },
  framing: {
    method: 'GET',
    path: '/sites/framing',
    gate: gates.access,
    summary: 'Reports whether the website of a site lets an editor show a page in a frame.',
    query: FramingQuery,
    replies: { 200: FramingAnswer },
    refusals: [noWebsite],
  },
  remove: {
    method: 'DELETE',
    path: '/sites',
    gate: gates.access,
    can: 'admin',
    summary: 'Removes registrations whose key, or else whose preview address, contains a text; drafts stay.',
    query: RemovalQuery,
    replies: { 200: Removal },
  },
})
