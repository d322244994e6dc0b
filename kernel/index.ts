/** Everything that plugin authors may use. */
import './refuse-old-node.ts'
export {
  give,
  optional,
  service,
  slot,
  type OptionalRef,
  type Seed,
  type ServiceRef,
  type SlotRef,
} from './service.ts'
export { definePlugin, isPlugin, use, type Plugin, type Setup, type Used } from './plugin.ts'
export {
  defineRoutes,
  type Answer,
  type Call,
  type Handlers,
  type Method,
  type PathNames,
  type PathParams,
  type RouteSpec,
  type RouteTable,
} from './route.ts'
export {
  empty,
  events,
  file,
  jsonOrEvents,
  redirect,
  stored,
  text,
  type EmptyReply,
  type EventsReply,
  type FileReply,
  type JsonOrEventsReply,
  type ServerEvent,
  type SpecialReply,
  type StoredReply,
  type TextReply,
} from './reply.ts'
export {
  allOf,
  gate,
  gates,
  publicGate,
  permissionOf,
  permissionsOf,
  type Caller,
  type CallerLimits,
  type Gate,
  type GateRef,
  type GateRequest,
  type Mounting,
  type Shape,
  type Verdict,
} from './gate.ts'
export {
  sitePlaces,
  sitesOf,
  permissions,
  type GatedRoute,
  type SitePlace,
  type Sites,
  type Permission,
} from './permission.ts'
export { policies, type Policy, type RoutePolicy } from './policy.ts'
export { requestObservers, type RequestObserver, type RequestWatch } from './observer.ts'
export { BootError, Refusal, defineRefusal, type RefusalKind, type RefusalParts } from './errors.ts'
export { notFound, rangeNotSatisfiable } from './refusals.ts'
export { earlyRefusals, kernelRefusals } from './route-refusals.ts'
export { clock, ids, randomIds, systemClock, type Clock, type Ids } from './clock.ts'
export {
  createAccessLog,
  createLogger,
  createRedactor,
  redactor,
  type AccessEntry,
  type Logger,
} from './log.ts'
export { createKernel, type Kernel, type KernelOptions } from './kernel.ts'
export { innerRequests, type InnerRequest, type InnerRequests } from './route-list.ts'
export { routeList, type MountedRoute, type RouteList } from './route-list.ts'
export { mount, type Mount } from './mount.ts'
export { readRawJson } from './input.ts'
export { findExcess as findJsonExcess, findProblem as findJsonProblem } from './http/body.ts'
export { queryValue } from './http/message.ts'
export { readRange } from './http/range.ts'
export {
  admittedOrigins,
  withLoopbackTwin,
  type JudgeOrigin,
  type OriginLimits,
  type OriginRules,
} from './http/cors.ts'
export type { Injected, Injection } from './http/inject.ts'
export { asyncQueue, type AsyncQueue, type AsyncQueueSource } from './async-queue.ts'
export type { IncomingFile, Received, Upload } from './http/multipart.ts'
export type { InputOf, OutputOf, Schema } from './schema.ts'
export {
  describedBy,
  loadConvert,
  mapParts,
  toJsonSchema,
  type JsonSchema,
  type Subschema,
} from './json-schema/index.ts'
export { invalidRequest, validate, type Issue, type Validated } from './check.ts'
export { version as packageVersion } from './package-info.ts'
export { isProduction } from './production.ts'
export { pace, paced } from './pace.ts'
export * from './std/index.ts'
export { syncFolder, writeDurably } from './durable-file.ts'
export { safeEqual } from './safe-equal.ts'
export {
  boundedCount,
  countOption,
  countVariable,
  listVariable,
  longestTimer,
  readSwitch,
  toSwitch,
  wordVariable,
} from './setting-kinds.ts'
