import { isProduction } from '../kernel/index.ts'
import type { Environment } from './env.ts'
import { editorVariables, siteUrlVariables } from './public-prefix.ts'
import { toOrigin } from './values.ts'

/** Reads the draft secret from the variables that editors and frameworks use; the first that is set wins. */
export function draftSecretIn(env: Environment): string | undefined {
  return (env['DRAFT_MODE_SECRET'] ?? env['VITE_SITE_DRAFT_SECRET'] ?? env['NEXT_DRAFT_MODE_SECRET'])?.trim()
}

/** The variable that names the address of the site, with its value; undefined if none is set. */
export function siteUrlIn(env: Environment): { readonly name: string; readonly value: string } | undefined {
  const name = siteUrlVariables.find((each) => env[each] !== undefined)
  const value = name === undefined ? undefined : env[name]
  return name === undefined || value === undefined ? undefined : { name, value }
}

/** The address of the orchestrator for a site. */
export const orchestratorAddress = (env: Environment): string =>
  env['ORCHESTRATOR_URL'] ?? 'http://localhost:4200'

/**
 * Returns the editor origins of a site: the `given` ones, else those in EDITOR_CORS_ORIGINS and in
 * EDITOR_ORIGIN, which may have the prefix of a framework. Outside production, the orchestrator, which serves
 * the studio, is always included, and port 4100 of this machine where no other editor is listed. Drops
 * entries that are not origins.
 */
export function editorOriginsOf(env: Environment, given?: readonly string[]): readonly string[] {
  const isPublished = isProduction(env)
  const listed = ['EDITOR_CORS_ORIGINS', ...editorVariables].flatMap((name) => env[name]?.split(',') ?? [])
  const own = env['ORCHESTRATOR_PUBLIC_ORIGIN'] ?? orchestratorAddress(env)
  const isOther = (entry: string): boolean => toOrigin(entry.trim()) !== toOrigin(own)
  const usual = listed.some(isOther) ? [] : ['http://localhost:4100']
  return (given ?? [...listed, ...(isPublished ? [] : [...usual, own])]).flatMap(
    (origin) => toOrigin(origin.trim()) ?? [],
  )
}
