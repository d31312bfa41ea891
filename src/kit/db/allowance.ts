import { INVOCATION } from '../lib/budgets.ts'
import { ApiError } from '../lib/errors.ts'

/** The most that a step may take. */
type Cost = {
  statements?: number
  /** Requests to other servers, and to the bucket of images. */
  requests?: number
  /** Milliseconds of CPU; 1 for a step whose size is not known yet. */
  cpuMs?: number
  /** Milliseconds until it ends. */
  ms?: number
}

/** Thrown for a write that would take more statements than are left: it is too large, or comes too late. */
export class OutOfAllowance extends ApiError {
  override readonly name = 'OutOfAllowance'

  constructor() {
    super('rest_service_unavailable', 'This run may send no more statements to the database.')
  }
}

/**
 * The rest of an invocation's limits. `Database` counts its statements here, and code that calls other
 * servers counts its requests. Work that can wait asks before each step, and leaves the rest to another
 * invocation.
 */
export class Allowance {
  statements: number
  requests: number = INVOCATION.requests
  cpuMs: number = INVOCATION.cpuMs
  /** The time by which all steps must be done, in epoch milliseconds. */
  readonly #endsMs: number
  /** The names of the steps that are postponed to another invocation. */
  readonly postponed = new Set<string>()
  /** True if statements beyond the limit fail. */
  readonly isStrict: boolean

  constructor({
    statements = INVOCATION.statements,
    isStrict = false,
    endsMs = Number.POSITIVE_INFINITY,
  }: { statements?: number; isStrict?: boolean; endsMs?: number } = {}) {
    this.statements = statements
    this.#endsMs = endsMs
    this.isStrict = isStrict
  }

  /** True if there is enough left for a step. */
  has({ statements = 0, requests = 0, cpuMs = 0, ms = 0 }: Cost): boolean {
    return (
      statements <= this.statements &&
      requests <= this.requests &&
      cpuMs <= this.cpuMs &&
      Date.now() + ms <= this.#endsMs
    )
  }

  /** True if there is enough left for a step; notes it as postponed otherwise. */
  allows(name: string, cost: Cost): boolean {
    const isAllowed = this.has(cost)
    if (!isAllowed) this.postponed.add(name)
    return isAllowed
  }

  /**
   * Takes the requests and the CPU time of a step. CPU time is estimated from the size of the step, because a
   * Worker's clock stands still while it computes. A large step may take more than is left; then no other
   * step begins.
   */
  spend({ requests = 0, cpuMs = 0 }: Pick<Cost, 'requests' | 'cpuMs'>): void {
    this.requests -= requests
    this.cpuMs -= cpuMs
  }

  /**
   * Works on rows one after the other, as long as the allowance covers the next one, whose cost is taken
   * first.
   */
  async forEach<T>(
    name: string,
    cost: Cost,
    rows: readonly T[],
    work: (row: T) => Promise<unknown>,
  ): Promise<void> {
    for (const row of rows) {
      if (!this.allows(name, cost)) return
      this.spend(cost)
      await work(row)
    }
  }

  /** Runs work that may use only a part of the remaining allowance. */
  async within<T>(
    { statements = 0, requests = 0 }: Pick<Cost, 'statements' | 'requests'>,
    work: () => Promise<T>,
  ): Promise<T> {
    const reserved = {
      statements: Math.max(0, this.statements - statements),
      requests: Math.max(0, this.requests - requests),
    }
    this.statements -= reserved.statements
    this.requests -= reserved.requests
    try {
      return await work()
    } finally {
      this.statements += reserved.statements
      this.requests += reserved.requests
    }
  }

  /**
   * Counts statements about to be sent.
   * @throws OutOfAllowance if they are too many and the allowance is strict
   */
  takeStatements(count: number): void {
    if (this.isStrict && count > this.statements) throw new OutOfAllowance()
    this.statements -= count
  }
}
