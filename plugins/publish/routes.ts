import { defineRoutes, gates, stored } from '../../kernel/index.ts'
import { ContentDiff } from '../content/diff/index.ts'
import {
  Content,
  ContentQuery,
  DiffQuery,
  DiffRequest,
  Log,
  LogQuery,
  PublishAnswer,
  PublishBody,
  StatusQuery,
  Tracker,
} from './schemas.ts'
import {
  diffTooLarge,
  draftMovedOn,
  noPublish,
  noTarget,
  publishRefused,
  publishTooLarge,
  siteOriginNotAllowed,
} from './refusals.ts'

const diff = {
  path: '/publish/diff',
  gate: gates.access,
  can: 'read',
  replies: { 200: stored(ContentDiff) },
  refusals: [siteOriginNotAllowed, draftMovedOn, diffTooLarge],
  // Only reads, but from an address in the request, which a locked demo refuses.
  traits: { effect: 'change' },
} as const

export const routes = defineRoutes({
  content: {
    method: 'GET',
    path: '/publish/content',
    gate: gates.access,
    summary: 'Returns the complete draft of a site, as a publish would send it.',
    query: ContentQuery,
    replies: { 200: stored(Content) },
  },
  diff: { ...diff, method: 'GET', summary: 'Compares a draft with what is published.', query: DiffQuery },
  postDiff: {
    ...diff,
    method: 'POST',
    summary: 'Compares a draft with what is published; the same as GET with the fields in the body.',
    body: DiffRequest,
  },
  publish: {
    method: 'POST',
    path: '/publish',
    gate: gates.publish,
    summary: 'Publishes the draft of a site.',
    body: PublishBody,
    replies: {
      200: PublishAnswer,
      400: PublishAnswer,
      409: PublishAnswer,
      500: PublishAnswer,
      502: PublishAnswer,
    },
    refusals: [siteOriginNotAllowed, noTarget, ...publishRefused, publishTooLarge],
  },
  status: {
    method: 'GET',
    path: '/publish/status',
    gate: gates.access,
    summary: 'Reports the status of the latest publish of a draft.',
    query: StatusQuery,
    replies: { 200: Tracker },
    refusals: [noPublish],
  },
  log: {
    method: 'GET',
    path: '/publish/log',
    gate: gates.access,
    summary: 'Lists the publishes of a draft, oldest first.',
    query: LogQuery,
    replies: { 200: Log },
  },
})
