import { agentKeyOf } from '../plugins/agents/loop/settings.ts'
import { missingPackage } from '../kernel/index.ts'
import type { Environment } from './env.ts'

/** The features of optional packages by variable; `true` if the environment asks for one. */
const needs: readonly (readonly [name: string, variable: string, isAsked: (value: string) => boolean])[] = [
  ['openai', 'OPENAI_MODEL', () => true],
  ['openai', 'AGENT_API_KEY', (key) => agentKeyOf({ AGENT_API_KEY: key })?.provider === 'openai'],
  ['@anthropic-ai/sdk', 'ANTHROPIC_API_KEY', () => true],
  [
    '@anthropic-ai/sdk',
    'AGENT_API_KEY',
    (key) => agentKeyOf({ AGENT_API_KEY: key })?.provider === 'anthropic',
  ],
  ['sharp', 'IMAGE_GEN_PROVIDER', (provider) => provider.toLowerCase() === 'placeholder'],
  ['aws4fetch', 'BLOBS_URL', () => true],
  ['playwright-core', 'PREVIEW_BROWSER', () => true],
  ['@modelcontextprotocol/server', 'MCP_BEARER_TOKEN', () => true],
]

/**
 * Names the optional packages that the environment asks for and that are not installed, each with its remedy.
 */
export function missingPackages(env: Environment): readonly string[] {
  return needs
    .filter(
      ([name, variable, isRequired]) =>
        env[variable] !== undefined && isRequired(env[variable]) && !isInstalled(name),
    )
    .map(([name, variable]) => missingPackage(variable, name))
}

/** Looks a package up without loading it. Inside a bundle, which cannot look up, it counts as installed. */
function isInstalled(name: string): boolean {
  if (typeof import.meta.resolve !== 'function') return true
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
