import { UsageError } from '../command.ts'
import { hint } from '../nearest.ts'
import { astro } from './astro.ts'
import { express } from './express.ts'
import { fastify } from './fastify.ts'
import type { Framework } from './framework.ts'
import { hono } from './hono.ts'
import { next } from './next.ts'
import { node } from './node.ts'
import type { Project } from './project.ts'

/** Every framework, in the order in which a project is asked for them. */
const frameworks: readonly Framework[] = [next, astro, express, fastify, hono, node]

export const frameworkNames: readonly string[] = frameworks.map(({ name }) => name)

/** The framework of this name, or the first one that the project depends on, or plain Node. */
export function chooseFramework(name: string | undefined, { dependencies }: Project): Framework {
  if (name === undefined) {
    return frameworks.find(({ dependency }) => dependency !== undefined && dependencies.has(dependency)) ?? node
  }
  const named = frameworks.find((each) => each.name === name)
  if (named) return named
  throw new UsageError(`'--framework' knows no '${name}'${hint(name, frameworkNames)}; there are ${frameworkNames.join(', ')}`)
}
