import type { APIRoute } from 'astro'
import { orchestrator } from '../../../lib/site.ts'

export const prerender = false

export const ALL: APIRoute = ({ request }) => orchestrator.fetch(request)
