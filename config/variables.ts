import { editorVariables, siteUrlVariables } from './public-prefix.ts'
import * as v from 'valibot'
import type { Plugin, Schema } from '../kernel/index.ts'
import { isSchema } from '../kernel/schema.ts'
import type { Environment } from './env.ts'
import { hint } from '../kernel/nearest.ts'
import { isSecretVariable } from './secrets.ts'

/** A variable: its reader, its effect as a Markdown sentence, and any default. */
type OwnVariable = readonly [readBy: string, effect: string, otherwise?: string]
type OwnVariables = Readonly<Record<string, OwnVariable>>

const whileBuilding =
  'Detects a build of the site by its framework, in which a closed mount is only a warning.'

/** Variables of the command line; those with `config` also apply to a website that mounts the service. */
export const ownVariables: OwnVariables = {
  HOST: ['serve', 'The address to listen on.', '127.0.0.1'],
  PORT: ['serve', 'The port to listen on; 0 takes any free one.', '4200'],
  DEMO_SITE_PORT: ['serve --demo', 'The port of the demo site; 0 takes any free one.', '4210'],
  NODE_ENV: [
    'config',
    '`production` closes what is open while a site is being developed (unset, `development`, `test`, or any other word, with a warning). A mistyped `production` stops the start.',
  ],
  ORCHESTRATOR_DATA_DIR: [
    'config',
    'The data folder, with the database and all files.',
    '`.orchestrator` in the working directory',
  ],
  ORCHESTRATOR_LOG_LEVEL: [
    'config',
    'The log level: trace, debug, info, warn, error, fatal or silent.',
    '`info`, on a terminal `warn`',
  ],
  ORCHESTRATOR_CORS_ORIGINS: [
    'config',
    'Origins of the editors and sites that may call from a browser and that content is published to.',
    'ports 3000 and 4100 of this machine; nothing in production',
  ],
  ORCHESTRATOR_ALLOWED_HOSTS: [
    'serve',
    'Further host names by which requests may address a standalone server.',
  ],
  ORCHESTRATOR_DRAIN_SECONDS: [
    'serve',
    'Seconds, at most 60, in which a server that is stopped still answers while `/readyz` says 503, for proxies that check it.',
    '3 with `DATABASE_URL`, 0 without',
  ],
  ORCHESTRATOR_PUBLIC_ORIGIN: [
    'config',
    'The address of the service as browsers see it.',
    '`http://localhost:<PORT>`',
  ],
  NEXT_PHASE: ['createOrchestrator', whileBuilding],
  npm_lifecycle_event: [
    'serve, mcp, createOrchestrator',
    'Detects npm, whose end stops the service, and a build of the site, in which a closed mount is only a warning.',
  ],
  ORCHESTRATOR_URL: [
    'register, mcp',
    'The orchestrator that a site is registered with, and that the tools of `mcp` call.',
    '`http://localhost:4200`',
  ],
  MCP_PORT: ['mcp --http', 'The port of the MCP server; 0 takes any free one.', '4300'],
  MCP_HOST: ['mcp --http', 'The address that the MCP server listens on.', '127.0.0.1'],
  MCP_ALLOWED_ORIGINS: ['mcp --http', 'Origins of pages that may call the MCP server.'],
  MCP_ALLOWED_HOSTS: ['mcp --http', 'Further host names by which requests may address the MCP server.'],
  TRUST_PROXY: ['config', 'Addresses and networks of proxies whose forwarding headers count.'],
}

/** Variables of the editor routes, in the environment of a website. */
const siteVariables: OwnVariables = {
  PUBLISH_TOKEN: ['site', 'A site requires it of a publish; in production it must be set.'],
  DRAFT_MODE_SECRET: ['site', 'A site shows drafts to visitors who enter with it.'],
  VITE_SITE_DRAFT_SECRET: ['site', 'The name that editors have for `DRAFT_MODE_SECRET`, which wins over it.'],
  NEXT_DRAFT_MODE_SECRET: [
    'site',
    'An older name of `DRAFT_MODE_SECRET`, read where neither other one is set.',
  ],
  ORCHESTRATOR_URL: [
    'site',
    'The address at which a site reaches the orchestrator.',
    '`http://localhost:4200`',
  ],
  ORCHESTRATOR_ACCESS_TOKEN: ['site', 'A site sends it to read drafts.'],
  ORCHESTRATOR_PUBLIC_ORIGIN: ['site', 'Where pages of a site listen for changes of a draft.'],
  EDITOR_CORS_ORIGINS: [
    'site',
    'Origins of the editors whose pages may call the editor routes of a site. Outside production the orchestrator may as well.',
    'port 4100 of this machine; nothing in production',
  ],
  ...Object.fromEntries(
    editorVariables.map((name) => [name, ['site', 'One more origin of an editor.'] as const]),
  ),
  ...Object.fromEntries(
    siteUrlVariables.map((name) => [
      name,
      [
        'site',
        'The address of the site; with https, draft cookies need https. The first set of `SITE_URL` and its prefixed forms counts.',
      ] as const,
    ]),
  ),
}

type Plugins = readonly { readonly plugin: Plugin }[]

/** Returns the sorted names of all variables that the command line and the loaded plugins read. */
export function variableNames(plugins: Plugins): readonly string[] {
  return [
    ...new Set([...Object.keys(ownVariables), ...plugins.flatMap(entriesOf).map(([name]) => name)]),
  ].toSorted()
}

/**
 * Describes all variables of the command line, the editor routes of a website and these plugins, by name.
 * Plugins describe a variable with `v.description`, and its default in the schema or metadata `otherwise`.
 */
export function describeVariables(plugins: Plugins) {
  const entries = [
    ...Object.entries(ownVariables),
    ...plugins.flatMap(entriesOf),
    ...Object.entries(siteVariables),
  ]
  return [...Map.groupBy(entries, ([name]) => name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]) => {
      const otherwise = group.map(([, entry]) => entry[2]).find((value) => value !== undefined)
      return {
        name,
        /** The default, in Markdown. */
        ...(otherwise !== undefined && { otherwise }),
        /** One sentence per reader with a description. */
        effect: [...new Set(group.map(([, [, effect]]) => effect).filter(Boolean))].join(' '),
        /** Plugins, commands, `config` for both of them, `site` for the editor routes of a website. */
        readBy: [...new Set(group.map(([, [readBy]]) => readBy))],
        isSecret: isSecretVariable(name),
      }
    })
}

/** Returns the variables in the `env` schema of a plugin. */
function entriesOf({
  plugin: { name: readBy, env },
}: Plugins[number]): readonly (readonly [name: string, entry: OwnVariable])[] {
  const entries = 'entries' in env && typeof env.entries === 'object' ? (env.entries ?? {}) : {}
  return Object.entries(entries).flatMap(([name, schema]) =>
    isSchema(schema) ? [[name, [readBy, v.getDescription(schema) ?? '', ...defaultOf(schema)]]] : [],
  )
}

function defaultOf(schema: Schema): readonly [] | readonly [string] {
  const inSchema = 'default' in schema && schema.default !== '' ? schema.default : undefined
  const value = inSchema ?? v.getMetadata(schema)['otherwise']
  return typeof value === 'string' ? [value] : []
}

/** Returns variables with a prefix of the service that nothing reads, which are most likely mistyped. */
export function unreadVariables(env: Environment, names: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('ORCHESTRATOR_') && !names.includes(name))
    .map((name) => `${name}${hint(name, names)}`)
}
