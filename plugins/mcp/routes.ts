import * as v from 'valibot'
import { defineRoutes, file, gates } from '../../kernel/index.ts'
import { mcpGate } from './gate.ts'
import { missing } from './refusals.ts'
import { mostBytes } from './settings.ts'

const answer = file('application/json', 'text/event-stream')
const NotAllowed = v.object({
  jsonrpc: v.literal('2.0'),
  error: v.object({ code: v.number(), message: v.string() }),
  id: v.null(),
})
const path = '/mcp'
const gate = mcpGate
const only = { path, gate, replies: { 405: NotAllowed }, internal: true } as const

const ToolQuery = v.object({
  siteId: v.optional(
    v.pipe(
      v.string(),
      v.description('The site that the tools work on; default: `MCP_SITE_ID`, otherwise the default site.'),
    ),
  ),
  session: v.optional(
    v.pipe(
      v.string(),
      v.description('The session that they work in; default: `MCP_SESSION`, otherwise `dev`.'),
    ),
  ),
  accessToken: v.optional(v.string()),
})

export const routes = defineRoutes({
  message: {
    method: 'POST',
    path,
    gate,
    summary: 'Answers one message of the Model Context Protocol: tools, resources and prompts for agents.',
    query: ToolQuery,
    raw: true,
    maxBytes: mostBytes,
    replies: { 200: answer, 202: answer, 400: answer, 404: answer, 406: answer, 415: answer, 500: answer },
    refusals: [missing],
  },
  listen: { ...only, method: 'GET', summary: 'Not supported: the server sends messages only as answers.' },
  leave: { ...only, method: 'DELETE', summary: 'Not supported: the server keeps no sessions.' },
})

/** The routes of a separate MCP server. */
export const ownRoutes = defineRoutes({
  ...routes,
  healthz: {
    method: 'GET',
    path: '/healthz',
    gate: gates.public,
    summary: 'Reports that the server is running.',
    replies: { 200: v.object({ ok: v.literal(true), name: v.string(), version: v.string() }) },
  },
})
