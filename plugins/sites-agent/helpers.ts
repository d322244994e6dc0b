import type { Mode } from './schemas.ts'

export const helperNames = ['block-coder', 'structure-analyzer'] as const
/** An agent that the main one hands a task to. */
export type Helper = (typeof helperNames)[number]

interface Abilities {
  /** None of them delegates. */
  readonly tools: readonly string[]
  readonly maxTurns: number
  readonly prompt: string
}

/** What each helper can do. */
export const helpers: Readonly<Record<Helper, Abilities>> = {
  'block-coder': {
    tools: ['Write', 'Edit', 'Bash'],
    maxTurns: 30,
    prompt: `You write block types of a website. They stand in blocks/register.tsx of a new site, or where the task says; read it with Bash before you change it. A type has a component that returns html, a propsSchema and meta with its fields. Change nothing else, and run the script typecheck at the end where the site has one.`,
  },
  'structure-analyzer': {
    tools: ['discover_site_structure', 'generate_page_specs', 'extract_design_tokens', 'download_remote_image', 'Read'],
    maxTurns: 20,
    prompt: `You analyze an existing website: which pages it has, and which blocks show each of their sections. Report the title, slug and blocks of each page with its own words, and invent none.`,
  },
}

/** The helpers of each mode. */
export const helpersOf: Readonly<Record<Mode, readonly Helper[]>> = {
  create: ['block-coder'],
  migrate: ['block-coder', 'structure-analyzer'],
  integrate: [],
}
