throw new Error('dead from the start');
