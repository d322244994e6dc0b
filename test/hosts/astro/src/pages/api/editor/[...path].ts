import type { APIRoute } from 'astro'
import { editor } from '../../../lib/site.ts'

export const prerender = false

export const ALL: APIRoute = ({ request }) => editor.fetch(request)
