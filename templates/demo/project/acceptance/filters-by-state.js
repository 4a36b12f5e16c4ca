import assert from 'node:assert/strict';
import { filterTasks } from '../src/filter.js';
import { createTask } from '../src/tasks.js';

const open = createTask('Buy milk');
const done = { ...createTask('Call home'), done: true };
assert.deepEqual(filterTasks([open, done], { done: true }), [done], 'done: true must give the tasks that are done');
assert.deepEqual(filterTasks([open, done], { done: false }), [open], 'done: false must give the open tasks alone');
