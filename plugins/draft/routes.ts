import * as v from 'valibot'
import { defineRoutes, gates, stored } from '../../kernel/index.ts'
import { Page } from '../content/page.ts'
import { registrationTooLarge } from '../sites/port.ts'
import { contradicted, noValidPage } from './bootstrap.ts'
import { changeHeaders } from './port.ts'
import {
  Bootstrapped,
  BootstrapBody,
  ConfigBody,
  ConfigQuery,
  ConfigSaved,
  DraftQuery,
  DraftView,
  PageQuery,
  Skipped,
  SlugList,
  StoredSiteConfig,
} from './schemas.ts'
import {
  changeRefusals,
  configTooLarge,
  draftTooLarge,
  newDraftRefusals,
  noSuchPage,
  tooManyPages,
} from './refusals.ts'

export const routes = defineRoutes({
  page: {
    method: 'GET',
    path: '/draft/pages',
    gate: gates.access,
    summary: 'Returns one page of a draft.',
    query: PageQuery,
    etag: true,
    replies: { 200: stored(Page) },
    refusals: [noSuchPage],
  },
  view: {
    method: 'GET',
    path: '/draft/view',
    gate: gates.access,
    summary: 'Returns what a website needs to render one page of a draft.',
    query: PageQuery,
    replies: { 200: DraftView },
  },
  slugs: {
    method: 'GET',
    path: '/draft/slugs',
    gate: gates.access,
    summary: 'Lists the pages of a draft, home first.',
    query: DraftQuery,
    etag: true,
    replies: { 200: stored(SlugList) },
  },
  bootstrap: {
    method: 'POST',
    path: '/draft/bootstrap',
    gate: gates.access,
    summary: "Brings a site's pages into a draft.",
    headers: changeHeaders,
    body: BootstrapBody,
    maxBytes: 8 * 1024 * 1024,
    maxValues: 1_000_000,
    replies: { 200: v.variant('status', [Bootstrapped, Skipped]) },
    refusals: [
      noValidPage,
      contradicted,
      ...changeRefusals,
      configTooLarge,
      draftTooLarge,
      tooManyPages,
      ...newDraftRefusals,
    ],
  },
  siteConfig: {
    method: 'GET',
    path: '/draft/site-config',
    gate: gates.access,
    summary: 'Returns the site config of a draft.',
    query: ConfigQuery,
    replies: { 200: StoredSiteConfig },
  },
  saveSiteConfig: {
    method: 'PUT',
    path: '/draft/site-config',
    gate: gates.access,
    summary: 'Merges a patch into the site config of a draft.',
    headers: changeHeaders,
    body: ConfigBody,
    maxBytes: 256 * 1024,
    replies: { 200: ConfigSaved },
    refusals: [...changeRefusals, configTooLarge, registrationTooLarge, ...newDraftRefusals],
  },
})
