import { defineRoutes, gates } from '../../../kernel/index.ts'
import { Usage, UsageQuery } from './schemas.ts'

export const routes = defineRoutes({
  usage: {
    method: 'GET',
    path: '/media/usage',
    gate: gates.access,
    summary: 'Lists the places of a draft that show an image or link to it, at most 500.',
    query: UsageQuery,
    replies: { 200: Usage },
  },
})
