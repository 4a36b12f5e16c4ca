import assert from 'node:assert/strict';
import { filterTasks } from '../src/filter.js';
import { createTask } from '../src/tasks.js';

const tasks = [createTask('Buy milk', ['shop']), createTask('Call home')];
assert.deepEqual(filterTasks(tasks, { tag: 'shop' }), [tasks[0]]);
assert.deepEqual(filterTasks(tasks), tasks);
