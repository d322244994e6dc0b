import { astro } from './astro.ts'
import { express } from './express.ts'
import { fastify } from './fastify.ts'
import type { Framework } from './framework.ts'
import { hono } from './hono.ts'
import { next } from './next.ts'
import { node } from './node.ts'
import type { Project } from './project.ts'

/** Every framework, in the order in which a project is asked for them. */
export const frameworks: readonly Framework[] = [next, astro, express, fastify, hono, node]

/** The first framework that a project depends on, or plain Node. */
export function frameworkOf({ dependencies }: Project): Framework {
  return frameworks.find(({ dependency }) => dependency !== undefined && dependencies.has(dependency)) ?? node
}
